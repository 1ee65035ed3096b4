using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.9.2.</summary>
[Structure(528, 530)]
public sealed partial class BrowseResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public BrowseResult[]? Results { get; init; }

    public DiagnosticInfo?[]? DiagnosticInfos { get; init; }
}
