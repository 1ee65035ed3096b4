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

    internal MonitoredItemCreateRequest ToCreateRequest() => new()
    {
        ItemToMonitor = new ReadValueId { NodeId = Node, AttributeId = (uint)Attribute, IndexRange = IndexRange },
        MonitoringMode = MonitoringMode.Reporting,
        RequestedParameters = ToParameters(),
    };

    internal MonitoringParameters ToParameters() => new()
    {
        ClientHandle = Handle,
        SamplingInterval = SamplingIntervalMs,
        Filter = Filter is null ? default : new ExtensionObject(Filter),
        QueueSize = QueueSize,
        DiscardOldest = DiscardOldest,
    };
}
