using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(683, 685)]
public sealed partial class UpdateEventDetails : HistoryUpdateDetails
{
    public NodeId NodeId { get; init; }

    public PerformUpdateType PerformInsertReplace { get; init; }

    public EventFilter Filter { get; init; } = new();

    public HistoryEventFieldList[]? EventData { get; init; }
}
