using Gateway.Codec.Structures;

namespace Gateway.Codec.Tests.Samples;

/// <summary>A field of each kind that a union can hold. Source: Part 6 §5.2.8.</summary>
[Structure(900_005, 900_006, StructureType = StructureType.Union)]
public sealed partial class UnionSample
{
    public int? Field1 { get; init; }

    public string? Field2 { get; init; }

    public NodeClass? Kind { get; init; }

    public ReadValueId? Struct { get; init; }

    public Argument? Class { get; init; }

    public double[]? Numbers { get; init; }

    public UnionSample? Inner { get; init; }

    public UnionSample[]? Several { get; init; }
}
