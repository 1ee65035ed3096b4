namespace Gateway.Codec.Structures;

[Structure(15534, 15676)]
public partial class DataTypeSchemaHeader
{
    public string?[]? Namespaces { get; init; }

    public StructureDescription[]? StructureDataTypes { get; init; }

    public EnumDescription[]? EnumDataTypes { get; init; }

    public SimpleTypeDescription[]? SimpleDataTypes { get; init; }
}
