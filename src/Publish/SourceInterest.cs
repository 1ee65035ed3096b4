using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;

namespace Gateway.Publish;

/// <summary>Tells the source of a node that somebody watches it, or nobody any more.</summary>
internal sealed class SourceInterest(NodeTable nodes) : IInterestListener
{
    public void OnInterest(NodeHandle node, bool wanted) => nodes.SourceOf(node)?.OnInterest(node, wanted);
}
