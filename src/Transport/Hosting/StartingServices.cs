using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Gateway.Transport.Hosting;

/// <summary>Registers parts that the host must set in motion.</summary>
public static class StartingServices
{
    /// <summary>Parts are made, and then started, in the order in which they are added here; they end in the opposite
    /// order.</summary>
    public static IServiceCollection AddStarting<T>(this IServiceCollection services, Action<T> start)
        where T : class => services.AddSingleton<IHostedService>(
            of => new StartingService<T>(of.GetRequiredService<T>(), start));
}
