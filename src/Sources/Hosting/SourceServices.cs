using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Sources.Simulator;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Gateway.Sources.Hosting;

/// <summary>Registers where values come from. Each driver is a <see cref="SourceDriverRegistration"/>; in the order of
/// these, drivers are prepared and started.</summary>
public static class SourceServices
{
    /// <summary>All drivers that are registered, wherever: made and prepared together. The caller starts them, with
    /// <see cref="SourceDrivers.Start"/>. Needs the address space and the <see cref="TimeProvider"/>.</summary>
    public static IServiceCollection AddSources(this IServiceCollection services) => services
        .AddSingleton(static of => new SourceDriverContext(
            of.GetRequiredService<NodeTable>(), of.GetRequiredService<ValueStore>(),
            of.GetRequiredService<TimeProvider>(), of.GetRequiredService<ILoggerFactory>()))
        .AddSingleton(static of => MakeDrivers(
            of.GetServices<SourceDriverRegistration>(), of.GetRequiredService<SourceDriverContext>()));

    /// <summary>Needs <see cref="SimulatorOptions"/>.</summary>
    public static IServiceCollection AddSimulatorDriver(this IServiceCollection services) =>
        services.AddSingleton(static of => PlantSimulator.Register(of.GetRequiredService<SimulatorOptions>()));

    private static SourceDrivers MakeDrivers(
        IEnumerable<SourceDriverRegistration> registrations, SourceDriverContext context)
    {
        var drivers = new SourceDrivers(registrations, context);
        drivers.Prepare();
        return drivers;
    }
}
