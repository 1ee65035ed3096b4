namespace Gateway.Codec.Structures;

[Structure(725, 727)]
public sealed partial class EventFilter : MonitoringFilter
{
    public SimpleAttributeOperand[]? SelectClauses { get; init; }

    public ContentFilter WhereClause { get; init; } = new();
}
