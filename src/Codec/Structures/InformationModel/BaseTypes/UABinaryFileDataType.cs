using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(15006, 15422)]
public sealed partial class UABinaryFileDataType : DataTypeSchemaHeader
{
    public string? SchemaLocation { get; init; }

    public KeyValuePair[]? FileHeader { get; init; }

    public Variant Body { get; init; }
}
