using Gateway.Transport.Hosting;
using Microsoft.Extensions.DependencyInjection;

namespace Gateway.Publish.Hosting;

/// <summary>Registers subscriptions and their threads.</summary>
public static class PublishServices
{
    /// <summary>Needs <see cref="PublishLimits"/>, the address space and the <see cref="TimeProvider"/>.</summary>
    public static IServiceCollection AddPublishing(this IServiceCollection services) => services
        .AddSingleton<PublishEngine>()
        .AddStarting<PublishEngine>(static engine => engine.Start());
}
