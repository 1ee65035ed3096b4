using Gateway.Codec.Types;

namespace Gateway.Sources.Upstream;

/// <summary>What lies below the roots of an upstream.</summary>
internal sealed class BrowsedSpace
{
    public Dictionary<NodeId, BrowsedNode> Nodes { get; } = [];

    public List<BrowsedReference> References { get; } = [];

    /// <summary>Nodes left out because the configured maximum was reached.</summary>
    public int Skipped { get; set; }
}
