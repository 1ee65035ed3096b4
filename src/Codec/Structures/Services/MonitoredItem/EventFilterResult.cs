using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(734, 736)]
public sealed partial class EventFilterResult : MonitoringFilterResult
{
    public StatusCode[]? SelectClauseResults { get; init; }

    public DiagnosticInfo?[]? SelectClauseDiagnosticInfos { get; init; }

    public ContentFilterResult WhereClauseResult { get; init; } = new();
}
