using Gateway.AddressSpace.Nodes;

namespace Gateway.AddressSpace.Values;

/// <summary>Told when the first subscriber of a node came and when the last one went: the node's source starts and
/// stops there. Calls for one node come one after the other and never under a lock of the store; they must not block.
/// </summary>
public interface IInterestListener
{
    void OnInterest(NodeHandle node, bool wanted);

    /// <summary>The same for subscribers to whom a new SourceTimestamp alone is a change.</summary>
    void OnTimestampInterest(NodeHandle node, bool wanted)
    {
    }
}
