using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;

namespace Gateway.AddressSpace.Sources;

/// <summary>Tells each node's own source of its first and last subscriber.</summary>
public sealed class InterestRouter(NodeTable nodes) : IInterestListener
{
    public void OnInterest(NodeHandle node, bool wanted) => nodes.SourceOf(node)?.OnInterest(node, wanted);
}
