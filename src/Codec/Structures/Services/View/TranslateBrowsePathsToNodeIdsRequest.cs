namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.9.4.</summary>
[Structure(552, 554)]
public sealed partial class TranslateBrowsePathsToNodeIdsRequest : IServiceRequest
{
    public RequestHeader RequestHeader { get; set; }

    public BrowsePath[]? BrowsePaths { get; init; }
}
