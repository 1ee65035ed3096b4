using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(14524, 14839)]
public sealed partial class FieldMetaData
{
    public string? Name { get; init; }

    public LocalizedText Description { get; init; }

    public DataSetFieldFlags FieldFlags { get; init; }

    public byte BuiltInType { get; init; }

    public NodeId DataType { get; init; }

    public int ValueRank { get; init; }

    public uint[]? ArrayDimensions { get; init; }

    public uint MaxStringLength { get; init; }

    public Guid DataSetFieldId { get; init; }

    public KeyValuePair[]? Properties { get; init; }
}
