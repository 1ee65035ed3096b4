using Gateway.Rest.Upstreams;
using Gateway.Sources;
using Gateway.Sources.OpcUa;

namespace Gateway.Host.Overview;

/// <inheritdoc cref="IUpstreamDrift"/>
/// <param name="drivers">Made later: the paths are mapped before drivers start.</param>
internal sealed class AcceptedDrift(Lazy<SourceDrivers> drivers) : IUpstreamDrift
{
    public bool Accept(string upstream) =>
        drivers.Value.Find(OpcUaDriver.DriverName) is OpcUaDriver driver && driver.AcceptDrift(upstream);
}
