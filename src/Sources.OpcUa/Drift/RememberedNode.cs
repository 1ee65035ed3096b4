namespace Gateway.Sources.OpcUa.Drift;

/// <summary>One node of an upstream as it was.</summary>
/// <param name="Id">As <c>nsu=</c>.</param>
/// <param name="Name">Its BrowseName without the namespace, cut.</param>
/// <param name="Path">Digest of the BrowseNames from its root; empty for a type.</param>
/// <param name="Facts">NodeClass, and the data type, type or definition; empty: not known.</param>
internal sealed record RememberedNode(string Id, string Name, string Path, string Facts);
