namespace Gateway.Codec.Structures;

[Structure(12755, 12765)]
public sealed partial class OptionSet
{
    public byte[]? Value { get; init; }

    public byte[]? ValidBits { get; init; }
}
