namespace Gateway.Codec.Structures;

[Structure(24052, 24338)]
public sealed partial class AliasCategoryUpdateDataType
{
    public PortableNodeId Category { get; init; } = new();

    public uint LastChange { get; init; }
}
