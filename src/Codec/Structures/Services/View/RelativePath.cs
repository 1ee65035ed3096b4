namespace Gateway.Codec.Structures;

[Structure(540, 542)]
public sealed partial class RelativePath
{
    public RelativePathElement[]? Elements { get; init; }
}
