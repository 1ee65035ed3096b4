using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(728, 730)]
public sealed partial class AggregateFilter : MonitoringFilter
{
    public DateTime StartTime { get; init; }

    public NodeId AggregateType { get; init; }

    public double ProcessingInterval { get; init; }

    public AggregateConfiguration AggregateConfiguration { get; init; } = new();
}
