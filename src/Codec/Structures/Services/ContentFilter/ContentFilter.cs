namespace Gateway.Codec.Structures;

[Structure(586, 588)]
public sealed partial class ContentFilter
{
    public ContentFilterElement[]? Elements { get; init; }
}
