using Gateway.AddressSpace.Nodes;

namespace Gateway.AddressSpace.Sources;

/// <summary>
/// A source that does not push its changes. The gateway reads each watched node once for all sessions, at the fastest
/// requested sampling interval: <see cref="INodeSource.TryRead"/> with a maxAge of 0, and one
/// <see cref="INodeSource.ReadAsync"/> for all due nodes of the source that this has no value for.
/// </summary>
public interface IPolledSource : INodeSource
{
    /// <summary>False: the source itself puts the node's changes into the ValueStore. The answer stays the same as long
    /// as the node exists; asked when an item is made.</summary>
    bool IsPolled(NodeHandle node) => true;
}
