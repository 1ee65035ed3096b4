using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using static Gateway.Codec.Types.StandardIds;

namespace Gateway.AddressSpace.Nodes;

/// <summary>Nodes and references to be added and to be removed, all at once by <see cref="NodeTable.Apply"/>. Control
/// plane; one owner. References to be added name their ends by NodeId: they may come with the same batch.</summary>
public sealed class NodeBatch
{
    internal List<NodeDefinition> Nodes { get; } = [];

    internal List<BatchReference> References { get; } = [];

    internal List<NodeHandle> Removals { get; } = [];

    internal List<GoneReference> GoneReferences { get; } = [];

    internal List<NodeHandle> UpdatedNodes { get; } = [];

    /// <summary>One for each of <see cref="UpdatedNodes"/>.</summary>
    internal List<NodeDefinition> Updates { get; } = [];

    /// <summary>Found by <see cref="NodeTable.Apply"/> while it changed the table, for its listeners.</summary>
    internal NodeEffects Effects { get; } = new();

    public int Count => Nodes.Count;

    /// <summary>Nothing would change.</summary>
    public bool IsEmpty =>
        Nodes.Count == 0 && References.Count == 0 && Removals.Count == 0 && Updates.Count == 0 &&
        GoneReferences.Count == 0;

    /// <summary>It is in the table, also where <see cref="NodeTable.Apply"/> threw a listener's exception.</summary>
    public bool IsApplied { get; internal set; }

    /// <summary>Without references.</summary>
    public NodeBatch AddNode(NodeDefinition node)
    {
        Nodes.Add(node);
        return this;
    }

    /// <param name="parent">Null NodeId: no parent yet.</param>
    /// <param name="typeDefinition">Null NodeId: FolderType.</param>
    /// <param name="referenceType">Null NodeId: Organizes.</param>
    public NodeBatch AddObject(
        NodeId id,
        QualifiedName browseName,
        NodeId parent,
        NodeId typeDefinition = default,
        NodeId referenceType = default,
        LocalizedText displayName = default,
        LocalizedText description = default)
    {
        var node = new NodeDefinition
        {
            NodeId = id,
            NodeClass = NodeClass.Object,
            BrowseName = browseName,
            DisplayName = displayName,
            Description = description,
        };
        return AddBelow(
            node, Or(typeDefinition, ObjectTypes.FolderType), parent, Or(referenceType, ReferenceTypes.Organizes));
    }

    /// <param name="parent">Null NodeId: no parent yet.</param>
    /// <param name="typeDefinition">Null NodeId: BaseDataVariableType.</param>
    /// <param name="referenceType">Null NodeId: HasComponent.</param>
    public NodeBatch AddVariable(
        NodeId id,
        QualifiedName browseName,
        in VariableFacts facts,
        INodeSource? source,
        NodeId parent,
        NodeId typeDefinition = default,
        NodeId referenceType = default,
        LocalizedText displayName = default,
        LocalizedText description = default)
    {
        var node = new NodeDefinition
        {
            NodeId = id,
            NodeClass = NodeClass.Variable,
            BrowseName = browseName,
            DisplayName = displayName,
            Description = description,
            Variable = facts,
            Source = source,
        };
        var type = Or(typeDefinition, VariableTypes.BaseDataVariableType);
        return AddBelow(node, type, parent, Or(referenceType, ReferenceTypes.HasComponent));
    }

    public NodeBatch AddProperty(
        NodeId id, QualifiedName browseName, in VariableFacts facts, INodeSource? source, NodeId parent) => AddVariable(
            id,
            browseName,
            facts,
            source,
            parent,
            new NodeId(VariableTypes.PropertyType),
            new NodeId(ReferenceTypes.HasProperty));

    public NodeBatch AddMethod(
        NodeId id,
        QualifiedName browseName,
        INodeSource? source,
        NodeId parent,
        LocalizedText displayName = default,
        LocalizedText description = default)
    {
        var node = new NodeDefinition
        {
            NodeId = id,
            NodeClass = NodeClass.Method,
            BrowseName = browseName,
            DisplayName = displayName,
            Description = description,
            Source = source,
        };
        return AddBelow(node, default, parent, new NodeId(ReferenceTypes.HasComponent));
    }

    /// <summary>Its inverse comes by itself. An existing reference is not added twice.</summary>
    public NodeBatch AddReference(
        NodeId source, NodeId referenceType, ExpandedNodeId target, bool isForward = true)
    {
        References.Add(new BatchReference(source, referenceType, isForward, target));
        return this;
    }

    /// <summary>Other attributes for a node that stays where it is, with its references: NodeId, NodeClass and
    /// BrowseName are as they were, a null source leaves the one that it has.</summary>
    public NodeBatch Update(NodeHandle node, NodeDefinition definition)
    {
        UpdatedNodes.Add(node);
        Updates.Add(definition);
        return this;
    }

    /// <summary>The node with all references from and to it; its children stay.</summary>
    public NodeBatch Remove(NodeHandle node)
    {
        Removals.Add(node);
        return this;
    }

    /// <summary>A forward reference between two nodes that stay, at both ends. One that is not there changes nothing;
    /// one that the same batch adds is there afterwards.</summary>
    public NodeBatch RemoveReference(NodeHandle source, NodeHandle referenceType, NodeHandle target)
    {
        GoneReferences.Add(new GoneReference(source, referenceType, target));
        return this;
    }

    /// <summary>A null type or parent is left out.</summary>
    private NodeBatch AddBelow(NodeDefinition node, NodeId typeDefinition, NodeId parent, NodeId referenceType)
    {
        AddNode(node);
        if (!typeDefinition.IsNull)
            AddReference(node.NodeId, new NodeId(ReferenceTypes.HasTypeDefinition), typeDefinition);
        return parent.IsNull ? this : AddReference(parent, referenceType, node.NodeId);
    }

    private static NodeId Or(NodeId given, uint otherwise) => given.IsNull ? new NodeId(otherwise) : given;
}
