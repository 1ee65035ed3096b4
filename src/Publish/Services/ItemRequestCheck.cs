using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Delivery;
using Gateway.Publish.Items;

namespace Gateway.Publish.Services;

/// <summary>Checks and revises what a client asks of a monitored item. Holds no lock. Source: Part 4 §5.13.2, §7.22.
/// </summary>
internal sealed class ItemRequestCheck(
    NodeTable nodes, ValueStore store, NodeSampler sampler, PublishLimits limits, EventHub events)
{
    private const int SmallestEventQueue = 10;

    private const int UsualEventQueue = 100;

    public static bool TryGetTimestamps(TimestampsToReturn timestamps, out WireTimestamps wire)
    {
        wire = timestamps switch
        {
            TimestampsToReturn.Source => WireTimestamps.Source,
            TimestampsToReturn.Server => WireTimestamps.Server,
            TimestampsToReturn.Both => WireTimestamps.Both,
            _ => WireTimestamps.Neither,
        };
        return timestamps is >= TimestampsToReturn.Source and <= TimestampsToReturn.Neither;
    }

    /// <summary>Good, or the item's result.</summary>
    /// <param name="access">Of the user.</param>
    /// <param name="request">The client's.</param>
    /// <param name="timestamps">Of the call.</param>
    /// <param name="isDurable">Of a durable subscription: its queue may be longer.</param>
    /// <param name="holder">The client.</param>
    /// <param name="item">The revised request.</param>
    public StatusCode Check(
        IItemAccess access, in MonitoredItemCreateRequest request, WireTimestamps timestamps, bool isDurable,
        string holder, out ItemRequest item)
    {
        item = new ItemRequest { IsDurable = isDurable, Holder = holder };
        var read = request.ItemToMonitor;
        item.Node = nodes.Find(read.NodeId);
        item.Attribute = (AttributeId)read.AttributeId;
        item.Mode = request.MonitoringMode;
        item.Timestamps = timestamps;
        if (item.Node.IsNone)
            return StatusCodes.BadNodeIdUnknown;
        // Before anything that tells a hidden node from one that is not there (R36).
        var status = CheckAccess(access, item.Node, item.Attribute, out item.IsDenied);
        if (status.IsBad)
            return status;
        if (request.MonitoringMode is < MonitoringMode.Disabled or > MonitoringMode.Reporting)
            return StatusCodes.BadMonitoringModeInvalid;
        status = CheckAttribute(item.Node, item.Attribute);
        if (status.IsBad)
            return status;
        if (item.Attribute == AttributeId.EventNotifier && access.CheckEvents(item.Node) is { IsBad: true } refused)
            return refused;
        status = DataEncoding.Check(nodes, item.Node, item.Attribute, read.DataEncoding);
        if (status.IsBad)
            return status;
        if (!NumericRangeText.TryParse(read.IndexRange, out item.Range))
            return StatusCodes.BadIndexRangeInvalid;
        if (item.Attribute == AttributeId.Value && IsBeyond(item.Range, nodes.GetVariableFacts(item.Node)))
            return StatusCodes.BadIndexRangeNoData;
        return CheckParameters(request.RequestedParameters, ref item);
    }

    /// <summary>A node that exists but cannot be read now is Good: an item on it waits until it can be read, and says
    /// why until then. Source: Part 4 §5.13.2.1.</summary>
    public static StatusCode CheckAccess(
        IItemAccess access, NodeHandle node, AttributeId attribute, out bool isDenied)
    {
        var status = access.CheckMonitor(node, attribute);
        isDenied = status.CodeBits is StatusCodes.BadNotReadable or StatusCodes.BadUserAccessDenied &&
            access.IsVisible(node);
        return isDenied ? StatusCode.Good : status;
    }

    /// <summary>As asked for, inside the limit.</summary>
    public int QueueSizeOf(in MonitoringParameters parameters, bool isDurable)
    {
        var most = isDurable
            ? Math.Max(limits.MaxDurableQueueSize, limits.MaxMonitoredItemsQueueSize)
            : limits.MaxMonitoredItemsQueueSize;
        return (int)Math.Clamp(parameters.QueueSize, 1u, (uint)most);
    }

    /// <summary>0 is the gateway's own choice and 1 the smallest, not the latest event alone. Source: Part 4 §7.21.
    /// </summary>
    private int EventQueueSizeOf(in MonitoringParameters parameters, bool isDurable)
    {
        var most = Math.Max(SmallestEventQueue, limits.MaxMonitoredItemsQueueSize);
        if (isDurable)
            most = Math.Max(most, limits.MaxDurableQueueSize);
        return parameters.QueueSize == 0
            ? Math.Min(UsualEventQueue, most)
            : (int)Math.Clamp(parameters.QueueSize, SmallestEventQueue, (uint)most);
    }

    /// <summary>The client's parameters, revised as far as the node says; also for ModifyMonitoredItems.</summary>
    public StatusCode CheckParameters(in MonitoringParameters parameters, ref ItemRequest item)
    {
        item.ClientHandle = parameters.ClientHandle;
        item.DiscardOldest = parameters.DiscardOldest;
        item.QueueSize = item.Attribute == AttributeId.EventNotifier
            ? EventQueueSizeOf(parameters, item.IsDurable)
            : QueueSizeOf(parameters, item.IsDurable);
        item.RequestedSamplingMs = parameters.SamplingInterval;
        if (item.Attribute == AttributeId.Value)
            FindMinimumSampling(ref item);
        return CheckFilter(parameters.Filter, ref item);
    }

    /// <summary>−1 and NaN stand for the publishing interval, 0 for every change; the rest lies inside the limits and
    /// not below what the node and its source can do.</summary>
    public double ReviseSampling(in ItemRequest item, double publishingIntervalMs)
    {
        if (item.Attribute == AttributeId.EventNotifier)
            return 0;
        var sampling = item.RequestedSamplingMs >= 0 ? item.RequestedSamplingMs : publishingIntervalMs;
        if (item.MinimumSamplingMs > 0)
            sampling = Math.Max(sampling, item.MinimumSamplingMs);
        var now = limits.Now;
        return sampling == 0 ? 0 : Math.Clamp(sampling, now.MinSamplingIntervalMs, now.MaxSamplingIntervalMs);
    }

    /// <summary>The interval at which the item itself samples; 0: it takes every sample. An item at its source's
    /// interval takes all that the source samples: samples come together and late, and would fall into one period.
    /// </summary>
    public static double OwnSampling(in ItemRequest item, double revisedMs) =>
        revisedMs <= item.SourceSamplingMs ? 0 : revisedMs;

    private void FindMinimumSampling(ref ItemRequest item)
    {
        var source = nodes.SourceOf(item.Node) is ISampledSource sampled ? sampled.SamplingIntervalMs(item.Node) : 0;
        var minimum = Math.Max(source, nodes.GetVariableFacts(item.Node).MinimumSamplingInterval);
        var isPolled = sampler.IsPolled(item.Node);
        item.MinimumSamplingMs = isPolled ? Math.Max(minimum, limits.MinPollingIntervalMs) : minimum;
        item.SourceSamplingMs = isPolled ? 0 : source;
    }

    /// <summary>No value will ever have data there; where a dimension may grow, Publish says whether it has. Source:
    /// Part 4 §5.13.2.4.</summary>
    private static bool IsBeyond(in NumericRange range, in VariableFacts facts)
    {
        var dimensions = facts.ArrayDimensions ?? [];
        for (var i = 0; i < Math.Min(range.Count, dimensions.Length); i++)
        {
            if (dimensions[i] > 0 && range[i].Low >= dimensions[i])
                return true;
        }

        return false;
    }

    private StatusCode CheckAttribute(NodeHandle node, AttributeId attribute)
    {
        if (attribute == AttributeId.Value && nodes.GetNodeClass(node) == NodeClass.Variable)
            return StatusCode.Good;
        return nodes.ReadAttribute(node, attribute, out _);
    }

    private StatusCode CheckFilter(ExtensionObject filter, ref ItemRequest item)
    {
        item.Condition = DataChangeCondition.Default;
        item.PercentDeadband = double.NaN;
        if (item.Attribute == AttributeId.EventNotifier)
            return CheckEventFilter(filter, ref item);
        if (filter.IsNull)
            return StatusCode.Good;
        if (filter.Body is not (DataChangeFilter or EventFilter))
            return StatusCodes.BadMonitoredItemFilterUnsupported;
        if (item.Attribute != AttributeId.Value || filter.Body is not DataChangeFilter change)
            return StatusCodes.BadFilterNotAllowed;
        if (change.Trigger is < DataChangeTrigger.Status or > DataChangeTrigger.StatusValueTimestamp)
            return StatusCodes.BadMonitoredItemFilterInvalid;
        if ((DeadbandType)change.DeadbandType == DeadbandType.None)
        {
            item.Condition = new DataChangeCondition(change.Trigger, 0);
            return StatusCode.Good;
        }

        return CheckDeadband(change, ref item);
    }

    /// <summary>An item on EventNotifier is one for events, and says which by its filter.</summary>
    private StatusCode CheckEventFilter(ExtensionObject given, ref ItemRequest item)
    {
        if (given.Body is not EventFilter filter)
            return given.Body is null ? StatusCodes.BadMonitoredItemFilterInvalid : StatusCodes.BadFilterNotAllowed;
        if (!IsNotifier(item.Node))
            return StatusCodes.BadNotSupported;
        var verdict = events.Take(filter, item.Holder);
        (item.EventFilter, item.FilterResult) = (verdict.Filter, verdict.Result);
        return verdict.Status;
    }

    private bool IsNotifier(NodeHandle node) =>
        nodes.ReadAttribute(node, AttributeId.EventNotifier, out var value).IsGood &&
        ((EventNotifierType)value.AsInt64() & EventNotifierType.SubscribeToEvents) != 0;

    /// <summary>With a deadband the trigger for timestamps is that for values.</summary>
    private StatusCode CheckDeadband(DataChangeFilter change, ref ItemRequest item)
    {
        var isPercent = (DeadbandType)change.DeadbandType == DeadbandType.Percent;
        if (!isPercent && (DeadbandType)change.DeadbandType != DeadbandType.Absolute)
            return StatusCodes.BadDeadbandFilterInvalid;
        if (!(change.DeadbandValue >= 0) || change.DeadbandValue > (isPercent ? 100 : double.MaxValue))
            return StatusCodes.BadDeadbandFilterInvalid;
        if (!IsNumeric(nodes.GetVariableFacts(item.Node).BuiltInType))
            return isPercent ? StatusCodes.BadDeadbandFilterInvalid : StatusCodes.BadFilterNotAllowed;
        var deadband = change.DeadbandValue;
        if (isPercent)
        {
            if (!AnalogProperties.TryGetRangeSpan(nodes, store, item.Node, out var span))
                return StatusCodes.BadMonitoredItemFilterUnsupported;
            item.PercentDeadband = deadband;
            deadband = deadband / 100 * span;
        }

        var trigger = change.Trigger == DataChangeTrigger.Status
            ? DataChangeTrigger.Status
            : DataChangeTrigger.StatusValue;
        item.Condition = new DataChangeCondition(trigger, deadband);
        return StatusCode.Good;
    }

    /// <summary>An abstract data type may hold numbers; its other values are compared for equality.</summary>
    private static bool IsNumeric(BuiltInType type) =>
        type is BuiltInType.Null or BuiltInType.Variant or (>= BuiltInType.SByte and <= BuiltInType.Double);
}
