using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Filters;

namespace Gateway.Publish.Items;

/// <summary>A MonitoredItemCreateRequest that has passed every check, with its parameters revised, except for the
/// sampling interval, which needs the subscription.</summary>
internal struct ItemRequest
{
    public NodeHandle Node;

    /// <summary>Cannot be read now: Publish says so, until it can.</summary>
    public bool IsDenied;

    /// <summary>Of a durable subscription.</summary>
    public bool IsDurable;

    /// <summary>The client, for what counts for clients.</summary>
    public string Holder;
    public AttributeId Attribute;

    /// <summary>Of an item for events: taken from the hub, to be given back where the item is not made.</summary>
    public CompiledFilter? EventFilter;

    /// <summary>The codes of the filter's clauses; null where all are Good.</summary>
    public EventFilterResult? FilterResult;
    public NumericRange Range;
    public MonitoringMode Mode;
    public uint ClientHandle;
    public double RequestedSamplingMs;
    public double MinimumSamplingMs;

    /// <summary>Of a source that pushes: what it samples itself; 0 where it tells every change.</summary>
    public double SourceSamplingMs;
    public int QueueSize;
    public bool DiscardOldest;
    public DataChangeCondition Condition;

    /// <summary>Percent of the EURange, already worked out in <see cref="Condition"/>; NaN for another deadband.
    /// </summary>
    public double PercentDeadband;
    public WireTimestamps Timestamps;
}
