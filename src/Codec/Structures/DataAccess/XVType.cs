namespace Gateway.Codec.Structures;

[Structure(12080, 12090)]
public sealed partial class XVType
{
    public double X { get; init; }

    public float Value { get; init; }
}
