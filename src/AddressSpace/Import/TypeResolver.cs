using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Import;

/// <summary>The facts about DataTypes that values need, from a file's own DataTypes and the existing ones.
/// </summary>
internal sealed class TypeResolver
{
    private const int MaxDepth = 64;
    private static readonly NodeId HasSubtype = new(StandardIds.ReferenceTypes.HasSubtype);
    private static readonly NodeId HasEncoding = new(StandardIds.ReferenceTypes.HasEncoding);
    private static readonly NodeId Structure = new(StandardIds.DataTypes.Structure);

    private readonly NodeTable _table;
    private readonly TableDefinitions _present;
    private readonly Dictionary<NodeId, NodeSetNode> _nodes = [];
    private readonly Dictionary<NodeId, NodeId> _superTypes = [];
    private readonly Dictionary<NodeId, NodeId> _typeOfEncoding = [];
    private readonly Dictionary<NodeId, NodeId> _binaryEncoding = [];
    private readonly Dictionary<NodeId, DataTypeDefinition?> _definitions = [];

    public TypeResolver(NodeTable table, NodeSetFile file)
    {
        _table = table;
        _present = new TableDefinitions(table);
        foreach (var node in file.Nodes)
            _nodes.TryAdd(node.Definition.NodeId, node);
        foreach (var reference in file.References)
        {
            var (from, to) = reference.IsForward
                ? (reference.Source, reference.Target)
                : (reference.Target, reference.Source);
            if (reference.ReferenceType == HasSubtype)
                _superTypes[to] = from;
            else if (reference.ReferenceType == HasEncoding)
                AddEncoding(from, to);
        }
    }

    /// <summary>With inherited fields; null where the DataType has none or is not known.</summary>
    public DataTypeDefinition? DefinitionOf(NodeId dataType) => DefinitionOf(dataType, 0);

    /// <summary>Null where the type allows several, or is not known.</summary>
    public BuiltInType BuiltInTypeOf(NodeId dataType)
    {
        for (var depth = 0; depth < MaxDepth && !dataType.IsNull; depth++)
        {
            if (NodeTable.TryGetBuiltInType(dataType, out var type))
                return type;
            dataType = SuperTypeOf(dataType);
        }

        return BuiltInType.Null;
    }

    /// <summary>The DataType that an encoding's NodeId stands for; a DataType stands for itself. Null when unknown.
    /// </summary>
    public NodeId DataTypeOf(NodeId encoding)
    {
        if (_typeOfEncoding.TryGetValue(encoding, out var type))
            return type;
        if (_nodes.TryGetValue(encoding, out var node))
            return node.Definition.NodeClass == NodeClass.DataType ? encoding : default;
        return _present.DataTypeOf(encoding);
    }

    /// <summary>Null when it has none.</summary>
    public NodeId BinaryEncodingOf(NodeId dataType) =>
        _binaryEncoding.TryGetValue(dataType, out var encoding) ? encoding : _present.BinaryEncodingOf(dataType);

    private NodeId SuperTypeOf(NodeId type) =>
        _superTypes.TryGetValue(type, out var super) ? super : _table.GetNodeId(_table.GetSuperType(_table.Find(type)));

    private void AddEncoding(NodeId dataType, NodeId encoding)
    {
        _typeOfEncoding[encoding] = dataType;
        if (_nodes.TryGetValue(encoding, out var node) && node.Definition.BrowseName.Name == "Default Binary")
            _binaryEncoding[dataType] = encoding;
    }

    private DataTypeDefinition? DefinitionOf(NodeId dataType, int depth)
    {
        if (_definitions.TryGetValue(dataType, out var known))
            return known;
        var definition = _nodes.TryGetValue(dataType, out var node)
            ? Build(dataType, node.Fields, depth)
            : _present.DefinitionOf(dataType);
        _definitions[dataType] = definition;
        return definition;
    }

    /// <summary>Inherited fields decide the kind as well. Null for a mixture of kinds, which no encoding has. Source:
    /// Part 3 §8.48, §8.49.</summary>
    private DataTypeDefinition? Build(NodeId dataType, OwnFields? own, int depth)
    {
        if (depth > MaxDepth)
            return null;
        if (own is { IsEnumeration: true })
            return new EnumDefinition { Fields = own.EnumFields };
        if (BuiltInTypeOf(dataType) != BuiltInType.ExtensionObject || dataType == Structure)
            return null;
        var super = SuperTypeOf(dataType);
        var inherited = DefinitionOf(super, depth + 1) as StructureDefinition;
        if (own is null && inherited is null)
            return null;
        if (KindOf(own, inherited) is not { } kind)
            return null;
        return new StructureDefinition
        {
            DefaultEncodingId = BinaryEncodingOf(dataType),
            BaseDataType = super,
            StructureType = kind,
            Fields = [.. inherited?.Fields ?? [], .. own?.Fields ?? []],
        };
    }

    private static StructureType? KindOf(OwnFields? own, StructureDefinition? inherited)
    {
        var above = inherited?.StructureType ?? StructureType.Structure;
        var here = own?.StructureType ?? StructureType.Structure;
        if (here == StructureType.Structure)
            return above;
        return above == StructureType.Structure || above == here ? here : null;
    }
}
