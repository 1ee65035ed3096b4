using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Browsing;

/// <summary>The nodes below the roots of an upstream, and its types.</summary>
internal sealed class BrowsedSpace
{
    public Dictionary<NodeId, BrowsedNode> Nodes { get; } = [];

    public List<BrowsedReference> References { get; } = [];

    /// <summary>The versions of its models, by URI.</summary>
    public IReadOnlyDictionary<string, string> Versions { get; set; } = new Dictionary<string, string>();

    /// <summary>How many of the nodes are types, or parts of one.</summary>
    public int Models { get; set; }

    /// <summary>References that lead past the configured maximum of nodes.</summary>
    public int Skipped { get; set; }

    /// <summary>References to nodes whose id or browse name is in a namespace that has no index here.</summary>
    public int Unmapped { get; set; }

    /// <summary>References to nodes whose id or browse name is too long.</summary>
    public int Overlong { get; set; }

    /// <summary>Nodes below which more may lie: the upstream could not say.</summary>
    public int Unbrowsed { get; private set; }

    /// <summary>The first of them, and why.</summary>
    public (NodeId Node, StatusCode Status) FirstUnbrowsed { get; private set; }

    /// <summary>Types that were left out, and DataTypes whose supertypes were not looked for.</summary>
    public int UnresolvedTypes { get; set; }

    /// <summary>Argument lists that are not kept.</summary>
    public int LargeArguments { get; set; }

    /// <summary>A Browse of one node failed. Below one that is gone, or hidden from our user, there is nothing.
    /// </summary>
    public void OnRefused(NodeId node, StatusCode status)
    {
        if (status.CodeBits is StatusCodes.BadNodeIdUnknown or StatusCodes.BadUserAccessDenied)
            return;
        if (Unbrowsed++ == 0)
            FirstUnbrowsed = (node, status);
    }
}
