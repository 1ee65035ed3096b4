namespace Gateway.Sources.Upstreams;

/// <summary>One change of an upstream's model. Texts are escaped and cut.</summary>
/// <param name="Kind">Of the change.</param>
/// <param name="Node">The id of before as <c>nsu=</c>, or a namespace URI.</param>
/// <param name="Was">Its state before.</param>
/// <param name="Is">Its state now; empty: gone.</param>
public sealed record DriftChange(DriftKind Kind, string Node, string Was, string Is);
