using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Events.Conditions;
using Gateway.Sources.OpcUa.Drift;
using Gateway.Sources.OpcUa.Namespaces;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Sources.OpcUa;

/// <summary>The parts that all connectors share.</summary>
/// <param name="Nodes">Of the gateway.</param>
/// <param name="Values">Of the gateway.</param>
/// <param name="Claims">The owner of each namespace.</param>
/// <param name="Shared">The types that several upstreams have in common.</param>
/// <param name="Limits">On the answers of an upstream.</param>
/// <param name="Own">The certificate that this gateway shows now and an upstream has to trust, in words.</param>
/// <param name="Time">The host's.</param>
/// <param name="Loggers">The host's.</param>
internal sealed record UpstreamContext(
    NodeTable Nodes,
    ValueStore Values,
    NamespaceClaims Claims,
    SharedModel Shared,
    UpstreamLimits Limits,
    Func<string> Own,
    TimeProvider Time,
    ILoggerFactory Loggers)
{
    /// <summary>The models that the upstreams had.</summary>
    public DriftStore Drift { get; init; } = new(null, NullLogger.Instance);

    /// <summary>Of all upstreams; null: no events are followed.</summary>
    public MirroredConditions? Conditions { get; init; }

    /// <summary>Of all upstreams.</summary>
    public ModelVersions Versions { get; } = new(Nodes, Values);

    /// <summary>Of all DataTypes that the gateway has.</summary>
    public TableStructures Structures { get; } = new(Nodes);
}
