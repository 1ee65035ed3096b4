using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Namespaces;

namespace Gateway.Sources.OpcUa.Browsing;

/// <summary>Whether an ObjectType, VariableType or ReferenceType is the one that is served already: by what it says of
/// itself. Further declarations and texts do not count: a server may have a part of a model, or a newer one. Owner: one
/// merge.</summary>
internal sealed class TypeEquality(BrowsedSpace space, NodeTable nodes, NamespaceMap map)
{
    private static readonly NodeId HasSubtype = new(StandardIds.ReferenceTypes.HasSubtype);
    private static readonly NodeId Any = new(StandardIds.DataTypes.BaseDataType);

    private readonly Lazy<Dictionary<NodeId, NodeId>> _supertypes = new(() => Supertypes(space));

    /// <summary>Silence of one of both contradicts nothing.</summary>
    public bool Agree(BrowsedNode node, NodeHandle there) =>
        HasSameSupertype(node.Id, there) && (!node.HasTypeFacts || HasSameFacts(node, there));

    private bool HasSameFacts(BrowsedNode node, NodeHandle there) =>
        AttributeOf(there, AttributeId.IsAbstract).AsBoolean() == node.IsAbstract && node.NodeClass switch
        {
            NodeClass.VariableType => HasSameFacts(node.Facts, nodes.GetVariableFacts(there)),
            NodeClass.ReferenceType =>
                AttributeOf(there, AttributeId.Symmetric).AsBoolean() == node.Symmetric &&
                AreSame(AttributeOf(there, AttributeId.InverseName).AsLocalizedText(), node.InverseName),
            _ => true,
        };

    private bool HasSameSupertype(NodeId type, NodeHandle there)
    {
        if (!_supertypes.Value.TryGetValue(type, out var super) || !map.TryToLocal(super, out var own) ||
            nodes.GetSuperType(there) is not { IsNone: false } other)
            return true;
        return nodes.GetNodeId(other) == own;
    }

    private bool HasSameFacts(in VariableFacts own, in VariableFacts other)
    {
        if (own.ValueRank != other.ValueRank)
            return false;
        return own.DataType.IsNull || own.DataType == Any || other.DataType.IsNull || other.DataType == Any ||
            !map.TryToLocal(own.DataType, out var local) || local == other.DataType;
    }

    /// <summary>In two languages they are not comparable.</summary>
    private static bool AreSame(LocalizedText one, LocalizedText other) =>
        one.IsNull || other.IsNull || (one.Locale ?? "") != (other.Locale ?? "") || one.Text == other.Text;

    private Variant AttributeOf(NodeHandle node, AttributeId attribute) =>
        nodes.ReadAttribute(node, attribute, out var value).IsGood ? value : default;

    private static Dictionary<NodeId, NodeId> Supertypes(BrowsedSpace space)
    {
        var supertypes = new Dictionary<NodeId, NodeId>();
        foreach (var reference in space.References)
        {
            if (reference.ReferenceType == HasSubtype)
                supertypes.TryAdd(reference.Target, reference.Source);
        }

        return supertypes;
    }
}
