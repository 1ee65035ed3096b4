using Gateway.AddressSpace.Nodes;

namespace Gateway.Operations.Browsing;

/// <summary>The progress of a browse of one node: the references at its start, and the next one to visit. A
/// continuation point holds it.</summary>
public sealed class BrowseCursor(
    NodeHandle node, ReferenceEnumerable references, BrowseFilter filter, int maxReferences)
{
    public NodeHandle Node { get; } = node;

    public ReferenceEnumerable References { get; } = references;

    public BrowseFilter Filter { get; } = filter;

    /// <summary>The most references in one response.</summary>
    public int MaxReferences { get; } = maxReferences;

    public int Next { get; set; }
}
