namespace Gateway.Codec.Types;

/// <summary>Shape: a NodeId whose namespace may be given as a URI and whose server may be another one.
/// Where <see cref="NamespaceUri"/> is set the index inside <see cref="NodeId"/> is 0.
/// Source: Part 4 §7.16, Part 6 §5.2.2.10.</summary>
public readonly struct ExpandedNodeId(NodeId nodeId, string? namespaceUri = null, uint serverIndex = 0)
    : IEquatable<ExpandedNodeId>
{
    public NodeId NodeId { get; } = nodeId;

    public string? NamespaceUri { get; } = namespaceUri;

    public uint ServerIndex { get; } = serverIndex;

    public bool IsNull => NodeId.IsNull && NamespaceUri is null && ServerIndex == 0;

    /// <summary>Whether the node is on this server and named by namespace index.</summary>
    public bool IsLocal => ServerIndex == 0 && string.IsNullOrEmpty(NamespaceUri);

    public static implicit operator ExpandedNodeId(NodeId nodeId) => new(nodeId);

    public static ExpandedNodeId FromNodeId(NodeId nodeId) => new(nodeId);

    public static bool operator ==(ExpandedNodeId left, ExpandedNodeId right) => left.Equals(right);

    public static bool operator !=(ExpandedNodeId left, ExpandedNodeId right) => !left.Equals(right);

    public bool Equals(ExpandedNodeId other) =>
        NodeId.Equals(other.NodeId) && ServerIndex == other.ServerIndex &&
        string.Equals(NamespaceUri, other.NamespaceUri, StringComparison.Ordinal);

    public override bool Equals(object? obj) => obj is ExpandedNodeId other && Equals(other);

    public override int GetHashCode() => HashCode.Combine(NodeId, NamespaceUri, ServerIndex);

    public override string ToString() => NodeIdText.Format(this);
}
