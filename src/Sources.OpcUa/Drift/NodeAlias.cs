namespace Gateway.Sources.OpcUa.Drift;

/// <summary>A node that has another id at its upstream now. As <c>nsu=</c>: it outlives another order of the
/// NamespaceArray.</summary>
/// <param name="Was">The id that clients may hold: the gateway serves it on.</param>
/// <param name="Is">The id that the upstream has for the node now.</param>
internal sealed record NodeAlias(string Was, string Is);
