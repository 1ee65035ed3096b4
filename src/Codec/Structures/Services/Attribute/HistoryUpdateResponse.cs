using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.11.5.</summary>
[Structure(701, 703)]
public sealed partial class HistoryUpdateResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public HistoryUpdateResult[]? Results { get; init; }

    public DiagnosticInfo?[]? DiagnosticInfos { get; init; }
}
