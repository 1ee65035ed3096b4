using Gateway.Host.Configuration;
using Gateway.Sources;
using Gateway.Sources.OpcUa;

namespace Gateway.Host.Reloading;

/// <summary>Upstreams that come, go or change while the gateway runs.</summary>
internal sealed class LiveUpstreams(SourceDrivers drivers) : ILivePart
{
    public IReadOnlyList<string> Sections { get; } = ["Upstreams"];

    public ValueTask ApplyAsync(GatewayOptions next, CancellationToken cancellation) =>
        drivers.Find(OpcUaDriver.DriverName) is OpcUaDriver driver
            ? new(driver.ApplyAsync(next.Get<UpstreamOptions[]>()))
            : ValueTask.CompletedTask;
}
