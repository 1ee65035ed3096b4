using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.11.3.</summary>
[Structure(665, 667)]
public sealed partial class HistoryReadResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public HistoryReadResult[]? Results { get; init; }

    public DiagnosticInfo?[]? DiagnosticInfos { get; init; }
}
