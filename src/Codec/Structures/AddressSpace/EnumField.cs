namespace Gateway.Codec.Structures;

[Structure(102, 14845)]
public sealed partial class EnumField : EnumValueType
{
    public string? Name { get; init; }
}
