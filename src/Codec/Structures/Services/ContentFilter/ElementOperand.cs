namespace Gateway.Codec.Structures;

[Structure(592, 594)]
public sealed partial class ElementOperand : FilterOperand
{
    public uint Index { get; init; }
}
