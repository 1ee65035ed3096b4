using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Samples;

/// <summary>The first four fields are the standard's TypeA; the others are one of each kind that can be absent.
/// Source: Part 6 §5.2.7.</summary>
[Structure(900_001, 900_002, StructureType = StructureType.StructureWithOptionalFields)]
public partial class OptionalSample
{
    public int X { get; init; }

    [OptionalField]
    public int? O1 { get; init; }

    public sbyte Y { get; init; }

    [OptionalField]
    public int? O2 { get; init; }

    [OptionalField]
    public string? Text { get; init; }

    [OptionalField]
    public NodeId? NodeId { get; init; }

    [OptionalField]
    public NodeClass? Kind { get; init; }

    [OptionalField]
    public ReadValueId? Struct { get; init; }

    [OptionalField]
    public Argument? Class { get; init; }

    [OptionalField]
    public double[]? Numbers { get; init; }

    [OptionalField]
    public Argument[]? Classes { get; init; }

    [OptionalField]
    public OptionalSample? Next { get; init; }
}
