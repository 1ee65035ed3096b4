using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(14523, 124)]
public sealed partial class DataSetMetaDataType : DataTypeSchemaHeader
{
    public string? Name { get; init; }

    public LocalizedText Description { get; init; }

    public FieldMetaData[]? Fields { get; init; }

    public Guid DataSetClassId { get; init; }

    public ConfigurationVersionDataType ConfigurationVersion { get; init; } = new();
}
