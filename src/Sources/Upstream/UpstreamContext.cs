using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Microsoft.Extensions.Logging;

namespace Gateway.Sources.Upstream;

/// <summary>What all connectors share.</summary>
internal sealed record UpstreamContext(
    NodeTable Nodes,
    ValueStore Values,
    NamespaceClaims Claims,
    UpstreamLimits Limits,
    TimeProvider Time,
    ILoggerFactory Loggers);
