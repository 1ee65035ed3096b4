namespace Gateway.Codec.Structures;

[Structure(737, 739)]
public sealed partial class AggregateFilterResult : MonitoringFilterResult
{
    public DateTime RevisedStartTime { get; init; }

    public double RevisedProcessingInterval { get; init; }

    public AggregateConfiguration RevisedAggregateConfiguration { get; init; } = new();
}
