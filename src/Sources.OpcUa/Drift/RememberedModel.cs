using System.Text.Json.Serialization;
using Gateway.Sources.Upstreams;

namespace Gateway.Sources.OpcUa.Drift;

/// <summary>One upstream's model as an operator knows it: changes are told against it until he accepts them. Immutable.
/// </summary>
internal sealed record RememberedModel
{
    public required string Upstream { get; init; }

    /// <summary>The configured roots: with others there are other nodes.</summary>
    public required string Scope { get; init; }

    /// <summary>Its NamespaceArray.</summary>
    public required string[] Namespaces { get; init; }

    /// <summary>At most <see cref="DriftGuard.MaxNodes"/>.</summary>
    public required RememberedNode[] Nodes { get; init; }

    /// <summary>Those of accepted changes, too.</summary>
    public NodeAlias[] Aliases { get; init; } = [];

    /// <summary>When the present changes were seen first; null: there are none.</summary>
    public DateTimeOffset? Since { get; init; }

    /// <summary>The present changes by kind, in its order.</summary>
    public DriftCount[] Counts { get; init; } = [];

    /// <summary>The first of each kind.</summary>
    public DriftChange[] Changes { get; init; } = [];

    /// <summary>Null: there are no changes.</summary>
    [JsonIgnore]
    public DriftReport? Report => Since is not { } since ? null : new DriftReport
    {
        Since = since,
        Counts = Array.ConvertAll(Counts, static one => (one.Kind, one.Count)),
        Changes = Changes,
    };
}
