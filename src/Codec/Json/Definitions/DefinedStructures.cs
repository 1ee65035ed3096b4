using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Text;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json.Definitions;

/// <summary>
/// The declared structures, and those that only a DataTypeDefinition defines. Reads a definition once: make a new
/// instance when definitions have changed. A structure is unknown, and stays UA Binary, if it has a field of any rank,
/// more fields than a reader can tell apart, or itself in every value. Threads: any; a type is made under a lock when
/// it is first used.
/// </summary>
public sealed class DefinedStructures(IDataTypeDefinitions definitions) : IJsonStructures
{
    /// <summary>Members that a reader tells apart in 64 bits, without those of a mask or a switch.</summary>
    private const int MaxFields = 62;

    /// <summary>In one structure, counted once each.</summary>
    private const int MaxNestedTypes = 500;

    /// <summary>Null: an existing DataType whose structure is unknown.</summary>
    private readonly ConcurrentDictionary<NodeId, DefinedStructure?> _byDataType = new();

    private readonly ConcurrentDictionary<NodeId, DefinedStructure> _byEncoding = new();
    private readonly Lock _making = new();

    public IJsonStructureType? FindByEncoding(NodeId encodingId)
    {
        if (DeclaredStructures.All.FindByEncoding(encodingId) is { } declared)
            return declared;
        if (_byEncoding.TryGetValue(encodingId, out var known))
            return known;
        var dataType = definitions.DataTypeOf(encodingId);
        // The bytes are those of the Default Binary encoding alone.
        return !dataType.IsNull && definitions.BinaryEncodingOf(dataType) == encodingId ? Find(dataType) : null;
    }

    public IJsonStructureType? FindByDataType(NodeId dataTypeId) =>
        DeclaredStructures.All.FindByDataType(dataTypeId) ?? Find(dataTypeId);

    public NodeId DataTypeOf(NodeId encodingId)
    {
        var declared = DeclaredStructures.All.DataTypeOf(encodingId);
        return declared.IsNull ? definitions.DataTypeOf(encodingId) : declared;
    }

    public NodeId EncodingOf(NodeId dataTypeId, ExtensionObjectEncoding encoding)
    {
        if (encoding == ExtensionObjectEncoding.Xml)
            return definitions.XmlEncodingOf(dataTypeId);
        var declared = DeclaredStructures.All.EncodingOf(dataTypeId, encoding);
        return declared.IsNull ? definitions.BinaryEncodingOf(dataTypeId) : declared;
    }

    /// <summary>Null: no definition, no encoding, or one that is not known here.</summary>
    private DefinedStructure? Find(NodeId dataTypeId)
    {
        if (_byDataType.TryGetValue(dataTypeId, out var known))
            return known;
        var encoding = definitions.BinaryEncodingOf(dataTypeId);
        if (encoding.IsNull)
            return null;
        lock (_making)
        {
            var made = new Dictionary<NodeId, DefinedStructure>();
            var structure = MakeUnderLock(dataTypeId, made);
            if (structure is null || made.Values.Any(static one => !one.IsComplete))
                return _byDataType.GetOrAdd(dataTypeId, static _ => null);
            structure = _byDataType.GetOrAdd(dataTypeId, structure)!;
            _byEncoding[encoding] = structure;
            return structure;
        }
    }

    /// <param name="dataTypeId">The DataType of a structure.</param>
    /// <param name="made">With all structures inside it; a structure may contain itself in an array.</param>
    private DefinedStructure? MakeUnderLock(NodeId dataTypeId, Dictionary<NodeId, DefinedStructure> made)
    {
        if (made.TryGetValue(dataTypeId, out var open))
            return open;
        if (definitions.DefinitionOf(dataTypeId) is not StructureDefinition definition ||
            definition.Fields is { Length: > MaxFields } || made.Count >= MaxNestedTypes)
            return null;
        var structure = new DefinedStructure(dataTypeId, definitions.BinaryEncodingOf(dataTypeId));
        made.Add(dataTypeId, structure);
        var fields = new List<DefinedField>();
        foreach (var field in definition.Fields ?? [])
        {
            if (MakeField(definition.StructureType, field, made) is not { } one)
                return null;
            fields.Add(one);
        }

        structure.Complete(definition.StructureType, [.. fields]);
        return structure;
    }

    private DefinedField? MakeField(
        StructureType kind, StructureField field, Dictionary<NodeId, DefinedStructure> made)
    {
        if (string.IsNullOrEmpty(field.Name) || field.ValueRank is not (-1 or >= 1 and <= VariantBinary.MaxDimensions))
            return null;
        // A type that allows several built-in types is a Variant on the wire.
        var type = definitions.BuiltInTypeOf(field.DataType) is var known and not BuiltInType.Null
            ? known
            : BuiltInType.Variant;
        var allowsSubtypes = field.IsOptional &&
            kind is StructureType.StructureWithSubtypedValues or StructureType.UnionWithSubtypedValues;
        DefinedStructure? inline = null;
        if (type == BuiltInType.ExtensionObject && !allowsSubtypes &&
            definitions.DefinitionOf(field.DataType) is StructureDefinition)
        {
            inline = MakeUnderLock(field.DataType, made);
            // One that is open is inside itself: then the field must be one that can be left out.
            var canBeAbsent = field.ValueRank >= 1 || field.IsOptional || kind == StructureType.Union;
            if (inline is null || (!inline.IsComplete && !canBeAbsent))
                return null;
        }

        var names = type == BuiltInType.Int32 && definitions.DefinitionOf(field.DataType) is EnumDefinition values
            ? Names(values)
            : null;
        return new DefinedField(Encoding.UTF8.GetBytes(field.Name), type)
        {
            Rank = field.ValueRank,
            IsOptional = field.IsOptional && kind == StructureType.StructureWithOptionalFields,
            Inline = inline,
            Names = names,
        };
    }

    /// <summary>The first of two names of a value.</summary>
    private static FrozenDictionary<int, string?> Names(EnumDefinition definition)
    {
        var names = new Dictionary<int, string?>();
        foreach (var field in definition.Fields ?? [])
            names.TryAdd((int)field.Value, field.Name);
        return names.ToFrozenDictionary();
    }
}
