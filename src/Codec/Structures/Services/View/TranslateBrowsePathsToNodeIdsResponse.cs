using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.9.4.</summary>
[Structure(555, 557)]
public sealed partial class TranslateBrowsePathsToNodeIdsResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public BrowsePathResult[]? Results { get; init; }

    public DiagnosticInfo?[]? DiagnosticInfos { get; init; }
}
