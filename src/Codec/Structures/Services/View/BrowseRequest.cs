namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.9.2.</summary>
[Structure(525, 527)]
public sealed partial class BrowseRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public ViewDescription View { get; init; } = new();

    public uint RequestedMaxReferencesPerNode { get; init; }

    public BrowseDescription[]? NodesToBrowse { get; init; }
}
