using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(549, 551)]
public readonly partial record struct BrowsePathResult
{
    public StatusCode StatusCode { get; init; }

    public BrowsePathTarget[]? Targets { get; init; }
}
