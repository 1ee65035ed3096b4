namespace Gateway.Codec.Structures;

[Structure(15488, 127)]
public sealed partial class EnumDescription : DataTypeDescription
{
    public EnumDefinition EnumDefinition { get; init; } = new();

    public byte BuiltInType { get; init; }
}
