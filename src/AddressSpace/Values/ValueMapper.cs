using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Values;

/// <summary>
/// Changes the namespace indexes inside a value, in one direction. Most types have none and pass untouched. Bodies of
/// unknown structures are opaque and stay as they are; their type ids are mapped. Stateful for one value: after it,
/// <see cref="Failed"/> says whether an index had no counterpart.
///</summary>
public ref struct ValueMapper
{
    private readonly INamespaceMap _map;
    private readonly bool _toLocal;

    public ValueMapper(INamespaceMap map, bool toLocal)
    {
        _map = map;
        _toLocal = toLocal;
    }

    public bool Failed { get; private set; }

    /// <summary>Whether values of the type can hold a namespace index.</summary>
    public static bool HasIndexes(BuiltInType type) => type is BuiltInType.NodeId or BuiltInType.ExpandedNodeId
        or BuiltInType.QualifiedName or BuiltInType.ExtensionObject or BuiltInType.DataValue or BuiltInType.Variant
        or BuiltInType.DiagnosticInfo;

    public Variant Map(in Variant value)
    {
        if (_map.IsIdentity || !HasIndexes(value.Type))
            return value;
        if (value.IsScalar)
            return MapScalar(value);
        var elements = MapElements(value.Elements);
        return value.AsMatrix() is { } matrix && elements is not null
            ? Variant.FromMatrix(value.Type, new Matrix(elements, matrix.Dimensions))
            : Variant.FromArray(value.Type, elements);
    }

    public NodeId Map(NodeId id) => TryMap(id.NamespaceIndex, out var index) ? id.WithNamespace(index) : default;

    public QualifiedName Map(QualifiedName name)
    {
        TryMap(name.NamespaceIndex, out var index);
        return new QualifiedName(name.Name, index);
    }

    private bool TryMap(ushort from, out ushort index)
    {
        var known = _toLocal ? _map.TryToLocal(from, out index) : _map.TryToOther(from, out index);
        Failed |= !known;
        return known;
    }

    private ExpandedNodeId Map(ExpandedNodeId id) =>
        id.IsLocal ? new ExpandedNodeId(Map(id.NodeId)) : id;

    private ExtensionObject Map(ExtensionObject value) => value.Body switch
    {
        Argument argument => new ExtensionObject(new Argument
        {
            Name = argument.Name,
            DataType = Map(argument.DataType),
            ValueRank = argument.ValueRank,
            ArrayDimensions = argument.ArrayDimensions,
            Description = argument.Description,
        }),
        byte[] bytes => new ExtensionObject(Map(value.TypeId), bytes),
        XmlElement xml => new ExtensionObject(Map(value.TypeId), xml),
        _ => value,
    };

    private Variant MapScalar(in Variant value) => value.Type switch
    {
        BuiltInType.NodeId => new Variant(Map(value.AsNodeId())),
        BuiltInType.ExpandedNodeId => new Variant(Map(value.AsExpandedNodeId())),
        BuiltInType.QualifiedName => new Variant(Map(value.AsQualifiedName())),
        BuiltInType.ExtensionObject => new Variant(Map(value.AsExtensionObject())),
        BuiltInType.DataValue => new Variant(Map(value.AsDataValue())),
        _ => value,
    };

    private DataValue Map(in DataValue value) => value with { Value = Map(value.Value) };

    private Array? MapElements(Array? elements)
    {
        switch (elements)
        {
            case NodeId[] ids:
                ids = [.. ids];
                foreach (ref var id in ids.AsSpan())
                    id = Map(id);
                return ids;
            case ExpandedNodeId[] ids:
                ids = [.. ids];
                foreach (ref var id in ids.AsSpan())
                    id = Map(id);
                return ids;
            case QualifiedName[] names:
                names = [.. names];
                foreach (ref var name in names.AsSpan())
                    name = Map(name);
                return names;
            case ExtensionObject[] objects:
                objects = [.. objects];
                foreach (ref var item in objects.AsSpan())
                    item = Map(item);
                return objects;
            case Variant[] variants:
                variants = [.. variants];
                foreach (ref var variant in variants.AsSpan())
                    variant = Map(variant);
                return variants;
            case DataValue[] values:
                values = [.. values];
                foreach (ref var value in values.AsSpan())
                    value = Map(value);
                return values;
            default:
                return elements;
        }
    }
}
