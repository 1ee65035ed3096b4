namespace Gateway.AddressSpace.Nodes;

/// <summary>Effects of a batch that it does not say itself. Owner: the writer, then the listeners.</summary>
internal sealed class NodeEffects
{
    /// <summary>Removed nodes, each with its type definition: the references of a removed node are gone. None for a
    /// node without a type.</summary>
    public Dictionary<NodeHandle, NodeHandle> Removed { get; } = [];

    /// <summary>Nodes of before that have more references; not the types that have another instance, where that tells
    /// of it. A node without an access rule is not here for a reference to one with a rule: the other end is.</summary>
    public HashSet<NodeHandle> GainedReferences { get; } = [];

    /// <summary>Nodes that are still there and have fewer references; not the types that have an instance less, and
    /// with the same exception.</summary>
    public HashSet<NodeHandle> LostReferences { get; } = [];

    /// <summary>Variables that stay and have another DataType.</summary>
    public List<NodeHandle> OtherDataTypes { get; } = [];
}
