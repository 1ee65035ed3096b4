using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.9.3.</summary>
[Structure(534, 536)]
public sealed partial class BrowseNextResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public BrowseResult[]? Results { get; init; }

    public DiagnosticInfo?[]? DiagnosticInfos { get; init; }
}
