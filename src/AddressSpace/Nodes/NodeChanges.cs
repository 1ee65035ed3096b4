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

    /// <summary>Those that were there, each with its type definition; None for a node without a type.</summary>
    public IReadOnlyDictionary<NodeHandle, NodeHandle> RemovedTypes => _batch.Effects.Removed;

    /// <summary>Nodes of before that have more references now, but for the types of new instances.</summary>
    public IReadOnlySet<NodeHandle> GainedReferences => _batch.Effects.GainedReferences;

    /// <summary>Nodes that stay and have fewer references, but for the types of removed instances.</summary>
    public IReadOnlySet<NodeHandle> LostReferences => _batch.Effects.LostReferences;

    /// <summary>Variables and VariableTypes that stay and have another DataType.</summary>
    public IReadOnlyList<NodeHandle> OtherDataTypes => _batch.Effects.OtherDataTypes;

    public int AddedCount => _batch.Nodes.Count;

    public NodeId Added(int index) => _batch.Nodes[index].NodeId;
}
