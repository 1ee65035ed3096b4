using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(668, 670)]
public readonly partial record struct WriteValue
{
    public NodeId NodeId { get; init; }

    public uint AttributeId { get; init; }

    public string? IndexRange { get; init; }

    public DataValue Value { get; init; }
}
