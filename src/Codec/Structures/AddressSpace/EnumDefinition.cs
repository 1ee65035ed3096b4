namespace Gateway.Codec.Structures;

[Structure(100, 123)]
public sealed partial class EnumDefinition : DataTypeDefinition
{
    public EnumField[]? Fields { get; init; }
}
