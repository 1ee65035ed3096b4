namespace Gateway.Codec.Structures;

[Structure(659, 661)]
public partial class HistoryEvent
{
    public HistoryEventFieldList[]? Events { get; init; }
}
