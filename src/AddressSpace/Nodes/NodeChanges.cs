using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Nodes;

/// <summary>The changes of a batch in a <see cref="NodeTable"/>; valid during the call.</summary>
public readonly struct NodeChanges
{
    private readonly NodeBatch _batch;

    internal NodeChanges(NodeBatch batch) => _batch = batch;

    /// <summary>They still answer for their NodeId.</summary>
    public IReadOnlyList<NodeHandle> Removed => _batch.Removals;

    /// <summary>Nodes with other attributes than before.</summary>
    public IReadOnlyList<NodeHandle> Updated => _batch.UpdatedNodes;

    public int AddedCount => _batch.Nodes.Count;

    public NodeId Added(int index) => _batch.Nodes[index].NodeId;
}
