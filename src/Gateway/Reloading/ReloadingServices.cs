using Gateway.Host.Configuration;
using Gateway.Rest.Management;
using Gateway.Server;
using Gateway.Transport.Hosting;

namespace Gateway.Host.Reloading;

/// <summary>Registers what takes over another configuration. Each further part is an <see cref="ILivePart"/>.</summary>
internal static class ReloadingServices
{
    public static IServiceCollection AddReloading(this IServiceCollection services) => services
        .AddSingleton<ILivePart, LiveLimits>()
        .AddSingleton<ILivePart, LiveUsers>()
        .AddSingleton<ILivePart, LiveUpstreams>()
        .AddSingleton<ReloadCounters>()
        .AddStarting<ReloadCounters>(static counters => counters.Start())
        // The parts stand by the first reload; whoever asks for the configuration before that makes none of them.
        .AddSingleton(static of => new ConfigurationControl(
            of.GetRequiredService<ConfigurationLayers>(), of.GetServices<ILivePart>,
            of.GetRequiredService<ReloadCounters>(), of.GetRequiredService<TimeProvider>(),
            of.GetRequiredService<IHostApplicationLifetime>(),
            of.GetRequiredService<ILogger<ConfigurationControl>>()))
        .AddSingleton<IConfigurationControl>(static of => of.GetRequiredService<ConfigurationControl>())
        .AddHostedService(static of => new ConfigurationWatch(
            of.GetRequiredService<ConfigurationControl>(), of.GetRequiredService<ConfigurationLayers>(),
            () => of.GetRequiredService<GatewayServer>().Audit, of.GetRequiredService<TimeProvider>(),
            of.GetRequiredService<ILogger<ConfigurationWatch>>()));
}
