using System.Collections.Frozen;
using System.Text.Json;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.PubSub.Json;

/// <summary>How one field is written and read, as its metadata says. Immutable. Source: Part 14 §6.2.3.2.4,
/// §7.2.5.4.3.</summary>
internal sealed class JsonFieldPlan
{
    /// <summary>ValueRank <c>Any</c> and <c>OneOrMoreDimensions</c>: the value alone does not show its shape.</summary>
    private const int AnyRank = -2;
    private const int OneOrMoreDimensions = 0;

    public JsonFieldPlan(FieldMetaData field, DataSetMetaDataType metaData)
    {
        Name = JsonMessageNames.Encode(field.Name);
        Type = (BuiltInType)field.BuiltInType;
        ValueRank = field.ValueRank;
        DataType = field.DataType;
        IsConcrete = Type is > BuiltInType.Null and < BuiltInType.Variant &&
            field.ValueRank is not (AnyRank or OneOrMoreDimensions);
        if (IsConcrete)
            Null = field.ValueRank > 0 ? Variant.FromArray(Type, null) : NullOf(Type);
        if (Type == BuiltInType.Int32)
            Symbols = SymbolsOf(field.DataType, metaData);
    }

    public JsonEncodedText Name { get; }

    public BuiltInType Type { get; }

    public int ValueRank { get; }

    public NodeId DataType { get; }

    /// <summary>A subscriber with the metadata knows the type of each value.</summary>
    public bool IsConcrete { get; }

    /// <summary>The value of the field's type that JSON writes as null; without a type where there is none.</summary>
    public Variant Null { get; }

    /// <summary>Of an enumeration: its names by value. Null: no enumeration, or its definition is not in the metadata.
    /// </summary>
    public FrozenDictionary<int, string>? Symbols { get; }

    /// <summary>A Guid has no null: its default is not written.</summary>
    private static Variant NullOf(BuiltInType type) => type switch
    {
        BuiltInType.String => new Variant((string?)null),
        BuiltInType.Guid => new Variant(Guid.Empty),
        BuiltInType.ByteString => Variant.FromByteString(null),
        BuiltInType.XmlElement => new Variant(default(XmlElement)),
        BuiltInType.NodeId => new Variant(default(NodeId)),
        BuiltInType.ExpandedNodeId => new Variant(default(ExpandedNodeId)),
        BuiltInType.QualifiedName => new Variant(default(QualifiedName)),
        BuiltInType.LocalizedText => new Variant(default(LocalizedText)),
        BuiltInType.ExtensionObject => new Variant(default(ExtensionObject)),
        _ => default,
    };

    private static FrozenDictionary<int, string>? SymbolsOf(NodeId dataType, DataSetMetaDataType metaData)
    {
        foreach (var known in metaData.EnumDataTypes ?? [])
        {
            if (known.DataTypeId == dataType && known.EnumDefinition.Fields is { } fields)
                return fields.Where(field => field.Value is >= int.MinValue and <= int.MaxValue)
                    .DistinctBy(field => field.Value)
                    .ToFrozenDictionary(field => (int)field.Value, field => field.Name ?? "");
        }

        return null;
    }
}
