using Gateway.Host.Configuration;
using Gateway.Host.Configuration.Upstreams;
using Gateway.Sources;
using Gateway.Sources.Modbus;
using Gateway.Sources.Modbus.Options;
using Gateway.Sources.OpcUa;
using Gateway.Sources.Upstreams;

namespace Gateway.Host.Reloading;

/// <summary>Upstreams that come, go or change while the gateway runs.</summary>
internal sealed class LiveUpstreams(SourceDrivers drivers) : ILivePart
{
    public IReadOnlyList<string> Sections { get; } = [UpstreamSections.Section];

    public async ValueTask ApplyAsync(GatewayOptions next, CancellationToken cancellation)
    {
        var servers = next.Get<UpstreamOptions[]>();
        var devices = next.Get<ModbusOptions[]>();
        var before = drivers.Upstreams().ToLookup(static one => one.Driver, static one => one.Name);
        // A name that goes from one driver to the other is free before the other one takes it.
        await ApplyAsync(
            OpcUaDriver.DriverName, servers.Where(one => !before[ModbusDriver.Key].Contains(one.Name)))
            .ConfigureAwait(false);
        await ApplyAsync(ModbusDriver.DriverName, devices).ConfigureAwait(false);
        await ApplyAsync(OpcUaDriver.DriverName, servers).ConfigureAwait(false);
    }

    private Task ApplyAsync<TOptions>(string driver, IEnumerable<TOptions> next) =>
        drivers.Find(driver) is IUpstreamDriver<TOptions> found ? found.ApplyAsync([.. next]) : Task.CompletedTask;
}
