using Gateway.Publish.Durable;
using Gateway.Transport.Hosting;
using Microsoft.Extensions.DependencyInjection;

namespace Gateway.Publish.Hosting;

/// <summary>Registers subscriptions and their threads.</summary>
public static class PublishServices
{
    /// <summary>Needs <see cref="PublishLimits"/>, the address space and the <see cref="TimeProvider"/>.</summary>
    public static IServiceCollection AddPublishing(this IServiceCollection services) => services
        .AddSingleton<PublishEngine>()
        .AddSingleton(static of => of.GetRequiredService<PublishEngine>().Conditions.Mirrored)
        .AddStarting<PublishEngine>(static engine => engine.Start());

    /// <summary>Needs <see cref="DurableOptions"/>. Behind the sources: they have their first nodes when it starts, and
    /// it ends before they do.</summary>
    public static IServiceCollection AddDurableSubscriptions(this IServiceCollection services) => services
        .AddSingleton<DurableSubscriptions>()
        .AddStarting<DurableSubscriptions>(static durable => durable.Start());
}
