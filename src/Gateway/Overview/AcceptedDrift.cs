using Gateway.Rest.Upstreams;
using Gateway.Sources;
using Gateway.Sources.OpcUa;
using Gateway.Sources.OpcUa.Drift;

namespace Gateway.Host.Overview;

/// <inheritdoc cref="IUpstreamDrift"/>
/// <param name="drivers">Made later: the paths are mapped before drivers start.</param>
internal sealed class AcceptedDrift(Lazy<SourceDrivers> drivers) : IUpstreamDrift
{
    public DriftAnswer Accept(string upstream) =>
        (drivers.Value.Find(OpcUaDriver.DriverName) as OpcUaDriver)?.AcceptDrift(upstream) switch
        {
            null => DriftAnswer.Unknown,
            DriftAcceptance.TooEarly => DriftAnswer.TooEarly,
            _ => DriftAnswer.Accepted,
        };
}
