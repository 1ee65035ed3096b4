using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(650, 652)]
public sealed partial class ReadProcessedDetails : HistoryReadDetails
{
    public DateTime StartTime { get; init; }

    public DateTime EndTime { get; init; }

    public double ProcessingInterval { get; init; }

    public NodeId[]? AggregateType { get; init; }

    public AggregateConfiguration AggregateConfiguration { get; init; } = new();
}
