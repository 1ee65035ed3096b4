using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Sources.Health;
using Gateway.Sources.Simulator;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Logging;

namespace Gateway.Sources.Hosting;

/// <summary>Registers where values come from. Each driver is a <see cref="SourceDriverRegistration"/>; in the order of
/// these, drivers are prepared and started.</summary>
public static class SourceServices
{
    /// <summary>All drivers that are registered, wherever: made and prepared together. The caller starts them, with
    /// <see cref="SourceDrivers.Start"/>. Needs the address space and the <see cref="TimeProvider"/>.</summary>
    public static IServiceCollection AddSources(this IServiceCollection services) => services
        .AddDriverHealth()
        .AddSingleton(static of => new SourceDriverContext(
            of.GetRequiredService<NodeTable>(), of.GetRequiredService<ValueStore>(),
            of.GetRequiredService<TimeProvider>(), of.GetRequiredService<ILoggerFactory>()))
        .AddSingleton(static of => MakeDrivers(
            of.GetServices<SourceDriverRegistration>(), of.GetRequiredService<SourceDriverContext>()));

    /// <summary>Needs <see cref="SimulatorOptions"/>; takes <see cref="IPlantEvents"/> where there is one.</summary>
    public static IServiceCollection AddSimulatorDriver(this IServiceCollection services) =>
        services.AddSingleton(static of => PlantSimulator.Register(
            of.GetRequiredService<SimulatorOptions>(), of.GetService<IPlantEvents>));

    /// <summary>A health check for each driver, by the driver's name: the registration is all that a driver needs. The
    /// host brings the service that runs them.</summary>
    private static IServiceCollection AddDriverHealth(this IServiceCollection services)
    {
        services.AddOptions<HealthCheckServiceOptions>()
            .Configure<IEnumerable<SourceDriverRegistration>>(static (options, drivers) =>
            {
                foreach (var driver in drivers.Where(static one => one.IsEnabled))
                    options.Registrations.Add(new HealthCheckRegistration(
                        driver.Name,
                        of => new SourceHealthCheck(of.GetRequiredService<SourceDrivers>(), driver.Name),
                        HealthStatus.Unhealthy, [SourceHealthCheck.Tag]));
            });
        return services;
    }

    private static SourceDrivers MakeDrivers(
        IEnumerable<SourceDriverRegistration> registrations, SourceDriverContext context)
    {
        var drivers = new SourceDrivers(registrations, context);
        drivers.Prepare();
        return drivers;
    }
}
