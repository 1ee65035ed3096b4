using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(695, 697)]
public sealed partial class HistoryUpdateResult
{
    public StatusCode StatusCode { get; init; }

    public StatusCode[]? OperationResults { get; init; }

    public DiagnosticInfo?[]? DiagnosticInfos { get; init; }
}
