namespace Gateway.Codec.Structures;

[Structure(24053, 24339)]
public sealed partial class AliasUpdateDataType
{
    public string? ApplicationUri { get; init; }

    public AliasCategoryUpdateDataType[]? Categories { get; init; }
}
