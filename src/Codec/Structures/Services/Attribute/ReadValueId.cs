using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(626, 628)]
public readonly partial record struct ReadValueId
{
    public NodeId NodeId { get; init; }

    public uint AttributeId { get; init; }

    public string? IndexRange { get; init; }

    public QualifiedName DataEncoding { get; init; }
}
