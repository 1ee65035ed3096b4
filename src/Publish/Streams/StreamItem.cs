using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Publish.Streams;

/// <summary>An item of a stream: the parameters of a MonitoredItem. Source: Part 4 §5.13.2, §7.21.
/// </summary>
public readonly record struct StreamItem()
{
    public required NodeId Node { get; init; }

    /// <summary>The consumer's own name of the item: each of its changes carries it.</summary>
    public required uint Handle { get; init; }

    public AttributeId Attribute { get; init; } = AttributeId.Value;

    /// <summary>The part of an array that is watched; null for all.</summary>
    public string? IndexRange { get; init; }

    /// <summary>Ms; 0 takes every change, −1 is the stream's interval.</summary>
    public double SamplingIntervalMs { get; init; }

    /// <summary>Values that wait for the next batch. With one, a newer value replaces the one that waits.</summary>
    public uint QueueSize { get; init; } = 1;

    /// <summary>Which value a longer queue gives up when it is full.</summary>
    public bool DiscardOldest { get; init; } = true;

    /// <summary>A deadband, a trigger; null reports each change of value or status.</summary>
    public DataChangeFilter? Filter { get; init; }

    /// <summary>The item watches the events of the node, a notifier, instead of its attribute; null: it does not.
    /// Source: Part 4 §7.22.3.</summary>
    public EventFilter? Events { get; init; }

    internal MonitoredItemCreateRequest ToCreateRequest() => new()
    {
        ItemToMonitor = new ReadValueId
        {
            NodeId = Node,
            AttributeId = (uint)(Events is null ? Attribute : AttributeId.EventNotifier),
            IndexRange = IndexRange,
        },
        MonitoringMode = MonitoringMode.Reporting,
        RequestedParameters = ToParameters(),
    };

    internal MonitoringParameters ToParameters() => new()
    {
        ClientHandle = Handle,
        SamplingInterval = SamplingIntervalMs,
        Filter = Events is not null ? new ExtensionObject(Events)
            : Filter is null ? default : new ExtensionObject(Filter),
        QueueSize = QueueSize,
        DiscardOldest = DiscardOldest,
    };
}
