using Gateway.AddressSpace.Nodes;

namespace Gateway.AddressSpace.Sources;

/// <summary>A source that works only for nodes that are watched.</summary>
public interface IInterestSource : INodeSource
{
    /// <summary>The first subscriber of the node came, or its last one went. Called inside a lock: returns at once.
    /// </summary>
    void OnInterest(NodeHandle node, bool wanted);
}
