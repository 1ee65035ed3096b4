using Gateway.AddressSpace.Nodes;

namespace Gateway.Operations.Browsing;

/// <summary>How far a browse of one node has come: the references as they were when it began, and the next one to look
/// at. What a continuation point keeps.</summary>
public sealed class BrowseCursor(
    NodeHandle node, ReferenceEnumerable references, BrowseFilter filter, int maxReferences)
{
    public NodeHandle Node { get; } = node;

    public ReferenceEnumerable References { get; } = references;

    public BrowseFilter Filter { get; } = filter;

    /// <summary>The most references in one answer.</summary>
    public int MaxReferences { get; } = maxReferences;

    public int Next { get; set; }
}
