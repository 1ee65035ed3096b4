using Gateway.Codec.Structures;

namespace Gateway.Codec.Tests.Samples;

/// <summary>Extends the mask of its base. Source: Part 6 §5.2.7.</summary>
[Structure(900_003, 900_004)]
public sealed partial class DerivedOptionalSample : OptionalSample
{
    public byte Z { get; init; }

    [OptionalField]
    public byte? O3 { get; init; }
}
