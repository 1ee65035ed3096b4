using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(522, 524)]
public readonly partial record struct BrowseResult
{
    public StatusCode StatusCode { get; init; }

    public byte[]? ContinuationPoint { get; init; }

    public ReferenceDescription[]? References { get; init; }
}
