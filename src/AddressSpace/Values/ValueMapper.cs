using Gateway.Codec.Json;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Values;

/// <summary>
/// Changes the namespace indexes inside a value, in one direction. Most types have none and pass untouched. Structures
/// are changed by their definition. Bodies of unknown structures stay as they are; their type ids are mapped. Stateful
/// for one value: after it, <see cref="Failed"/> says whether an index had no counterpart, and <see cref="IsDoubtful"/>
/// whether something could not be looked into.
///</summary>
public ref struct ValueMapper
{
    private readonly INamespaceMap _map;
    private readonly bool _toLocal;
    private readonly IJsonStructures? _structures;

    /// <param name="map">The other side's indexes.</param>
    /// <param name="toLocal">From there to here.</param>
    /// <param name="structures">Those of the gateway's DataTypes; null: only declared structures are known.</param>
    public ValueMapper(INamespaceMap map, bool toLocal, IJsonStructures? structures = null)
    {
        _map = map;
        _toLocal = toLocal;
        _structures = structures;
    }

    public bool Failed { get; private set; }

    /// <summary>An unknown structure, or one that its definition does not fit: indexes in it are the other side's.
    /// </summary>
    public bool IsDoubtful { get; private set; }

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

    public NodeId Map(NodeId id)
    {
        if (id.NamespaceIndex == 0)
            return id;
        Failed |= !(_toLocal ? _map.TryToLocal(id, out var mapped) : _map.TryToOther(id, out mapped));
        return mapped;
    }

    public QualifiedName Map(QualifiedName name)
    {
        if (name.NamespaceIndex == 0)
            return name;
        Failed |= !(_toLocal
            ? _map.TryNameToLocal(name.NamespaceIndex, out var index)
            : _map.TryNameToOther(name.NamespaceIndex, out index));
        return new QualifiedName(name.Name, index);
    }

    public ExpandedNodeId Map(ExpandedNodeId id)
    {
        if (id.IsLocal)
            return new ExpandedNodeId(Map(id.NodeId));
        // The number of a server in the other side's ServerArray means nothing here.
        IsDoubtful |= id.ServerIndex != 0;
        return id.NamespaceUri is { } uri && _map.TryFindUri(uri, _toLocal, out var index)
            ? new ExpandedNodeId(Map(id.NodeId.WithNamespace(index)), null, id.ServerIndex)
            : id;
    }

    public ExtensionObject Map(ExtensionObject value)
    {
        if (_map.IsIdentity)
            return value;
        if (value.Body is null)
            return new ExtensionObject(Map(value.TypeId), (byte[]?)null);
        if (value.Body is XmlElement xml)
        {
            // Ids are text in it.
            IsDoubtful = true;
            return new ExtensionObject(Map(value.TypeId), xml);
        }

        var content = new ContentMapper(_map, _toLocal, _structures);
        var mapped = value.Body switch
        {
            IStructure structure => new ExtensionObject(DeclaredMapping.Map(structure, content)),
            byte[] bytes => new ExtensionObject(Map(value.TypeId), MapBody(value.TypeId, bytes, content)),
            _ => value,
        };
        Failed |= content.Failed;
        IsDoubtful |= content.IsDoubtful;
        return mapped;
    }

    /// <summary>The gateway's definition is that of the other side, too: a type that is another has another id.
    /// </summary>
    private byte[] MapBody(NodeId typeId, byte[] body, ContentMapper content)
    {
        var known = _structures?.FindByEncoding(_toLocal ? Map(typeId) : typeId);
        if (known?.TryMap(body, content, out var mapped) == true)
            return mapped;
        IsDoubtful = true;
        return body;
    }

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
