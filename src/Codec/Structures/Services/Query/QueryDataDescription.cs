namespace Gateway.Codec.Structures;

[Structure(570, 572)]
public sealed partial class QueryDataDescription
{
    public RelativePath RelativePath { get; init; } = new();

    public uint AttributeId { get; init; }

    public string? IndexRange { get; init; }
}
