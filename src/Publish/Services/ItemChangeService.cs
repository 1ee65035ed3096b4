using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Items;
using Gateway.Publish.Shards;

namespace Gateway.Publish.Services;

/// <summary>ModifyMonitoredItems, SetMonitoringMode, SetTriggering: one slice of the shard's lock an item. Source: Part
/// 4 §5.13.3 to §5.13.5.</summary>
internal sealed class ItemChangeService(
    PublishEngine engine, MonitoredItemService items, ItemRequestCheck check, ItemStart start)
{
    public ModifyMonitoredItemsResponse Modify(Consumer consumer, ModifyMonitoredItemsRequest request)
    {
        var changes = request.ItemsToModify;
        var status = items.CheckCall(consumer, request.SubscriptionId, changes?.Length ?? 0);
        if (!ItemRequestCheck.TryGetTimestamps(request.TimestampsToReturn, out var timestamps))
            status = StatusCodes.BadTimestampsToReturnInvalid;
        if (status.IsBad)
            return new ModifyMonitoredItemsResponse { ResponseHeader = new() { ServiceResult = status } };
        var isDurable = MonitoredItemService.IsDurable(consumer, request.SubscriptionId);
        var results = new MonitoredItemModifyResult[changes!.Length];
        for (var i = 0; i < changes.Length; i++)
        {
            engine.RoomMaker.MakeRoomForQueue(
                consumer, check.QueueSizeOf(changes[i].RequestedParameters, isDurable));
            using (consumer.Shard.Enter())
            {
                results[i] = Find(consumer, request.SubscriptionId, changes[i].MonitoredItemId) is { } item
                    ? ModifyUnderLock(item, changes[i].RequestedParameters, timestamps)
                    : new MonitoredItemModifyResult { StatusCode = StatusCodes.BadMonitoredItemIdInvalid };
            }
        }

        return new ModifyMonitoredItemsResponse { Results = results };
    }

    public SetMonitoringModeResponse SetMode(Consumer consumer, SetMonitoringModeRequest request)
    {
        var ids = request.MonitoredItemIds;
        var status = items.CheckCall(consumer, request.SubscriptionId, ids?.Length ?? 0);
        if (request.MonitoringMode is < MonitoringMode.Disabled or > MonitoringMode.Reporting)
            status = StatusCodes.BadMonitoringModeInvalid;
        if (status.IsBad)
            return new SetMonitoringModeResponse { ResponseHeader = new() { ServiceResult = status } };
        var results = new StatusCode[ids!.Length];
        for (var i = 0; i < ids.Length; i++)
        {
            using (consumer.Shard.Enter())
            {
                var item = Find(consumer, request.SubscriptionId, ids[i]);
                results[i] = item is null ? StatusCodes.BadMonitoredItemIdInvalid : StatusCode.Good;
                if (item is not null && item.Mode != request.MonitoringMode)
                    SetModeUnderLock(item, request.MonitoringMode);
            }
        }

        return new SetMonitoringModeResponse { Results = results };
    }

    /// <summary>Links are removed before they are added.</summary>
    public SetTriggeringResponse SetTriggering(Consumer consumer, SetTriggeringRequest request)
    {
        var (add, remove) = (request.LinksToAdd ?? [], request.LinksToRemove ?? []);
        var status = items.CheckCall(consumer, request.SubscriptionId, add.Length + remove.Length);
        if (status.IsBad)
            return new SetTriggeringResponse { ResponseHeader = new() { ServiceResult = status } };
        using (consumer.Shard.Enter())
        {
            if (Find(consumer, request.SubscriptionId, request.TriggeringItemId) is null)
                return new SetTriggeringResponse
                {
                    ResponseHeader = new() { ServiceResult = StatusCodes.BadMonitoredItemIdInvalid },
                };
        }

        var removed = new StatusCode[remove.Length];
        for (var i = 0; i < remove.Length; i++)
            removed[i] = ChangeLink(consumer, request, remove[i], add: false);
        var added = new StatusCode[add.Length];
        for (var i = 0; i < add.Length; i++)
            added[i] = ChangeLink(consumer, request, add[i], add: true);
        return new SetTriggeringResponse { AddResults = added, RemoveResults = removed };
    }

    private static MonitoredItem? Find(Consumer consumer, uint subscriptionId, uint itemId) =>
        consumer.Find(subscriptionId) is { } subscription ? subscription.Items.GetValueOrDefault(itemId) : null;

    private StatusCode ChangeLink(Consumer consumer, SetTriggeringRequest request, uint itemId, bool add)
    {
        using (consumer.Shard.Enter())
        {
            var triggering = Find(consumer, request.SubscriptionId, request.TriggeringItemId);
            var item = Find(consumer, request.SubscriptionId, itemId);
            if (triggering is null || item is null)
                return StatusCodes.BadMonitoredItemIdInvalid;
            return add ? AddLinkUnderLock(triggering, item) : RemoveLinkUnderLock(triggering, item);
        }
    }

    private static StatusCode RemoveLinkUnderLock(MonitoredItem triggering, MonitoredItem item)
    {
        if (triggering.ExtrasOrNull?.Triggered?.Remove(item) is not true)
            return StatusCodes.BadMonitoredItemIdInvalid;
        item.Extras.TriggeredBy!.Remove(triggering);
        triggering.Extras.Durable?.OnSettingsChanged();
        return StatusCode.Good;
    }

    private MonitoredItemModifyResult ModifyUnderLock(
        MonitoredItem item, in MonitoringParameters parameters, WireTimestamps timestamps)
    {
        var subscription = item.Subscription;
        var request = new ItemRequest
        {
            Node = item.Node,
            Attribute = item.Attribute,
            IsDurable = subscription.Durable is not null,
            Holder = subscription.Consumer.Owner.HolderKey,
        };
        if (item.Node.IsNone)
            return new MonitoredItemModifyResult { StatusCode = StatusCodes.BadNodeIdUnknown };
        // A node that is hidden from the consumer's present user must reveal nothing (R36).
        var access = subscription.Consumer.Access;
        var status = ItemRequestCheck.CheckAccess(access, item.Node, item.Attribute, out _);
        if (!status.IsBad)
            status = check.CheckParameters(parameters, ref request);
        if (status.IsBad)
        {
            return new MonitoredItemModifyResult
            {
                StatusCode = status,
                FilterResult = new ExtensionObject(request.FilterResult),
            };
        }

        if (request.EventFilter is { } filter)
            subscription.Shard.Events.ChangeFilterUnderLock(item, filter);
        var queueSize = request.QueueSize;
        engine.Quotas.ResizeQueue(subscription.Consumer, item.Queue.Size, ref queueSize);
        item.ClientHandle = request.ClientHandle;
        item.Timestamps = timestamps;
        subscription.Shard.Changes.Book.SetFilter(item, request.Condition, request.PercentDeadband);
        item.DiscardOldest = request.DiscardOldest;
        subscription.QueueCapacity += queueSize - item.Queue.Size;
        if (item.ExtrasOrNull?.Durable is { } durable)
            durable.Resize(queueSize);
        else
            item.Queue.Resize(queueSize, request.DiscardOldest);
        var sampling = check.ReviseSampling(request, subscription.Times.PublishingIntervalMs);
        subscription.Shard.Changes.SetSamplingUnderLock(item, ItemRequestCheck.OwnSampling(request, sampling));
        return new MonitoredItemModifyResult
        {
            RevisedSamplingInterval = sampling,
            RevisedQueueSize = (uint)queueSize,
            FilterResult = new ExtensionObject(request.FilterResult),
        };
    }

    private void SetModeUnderLock(MonitoredItem item, MonitoringMode mode)
    {
        var shard = item.Subscription.Shard;
        var wasDisabled = item.Mode == MonitoringMode.Disabled;
        item.Mode = mode;
        item.ExtrasOrNull?.Durable?.OnSettingsChanged();
        if (mode == MonitoringMode.Disabled)
        {
            shard.Changes.UnwatchUnderLock(item);
            item.Clear();
        }
        else if (wasDisabled && item.Node.IsNone)
        {
            // A restored item whose node is not there yet starts when it comes.
        }
        else if (wasDisabled)
        {
            start.StartAgainUnderLock(shard, item);
        }
        else
        {
            item.OnModeChanged();
        }
    }

    private StatusCode AddLinkUnderLock(MonitoredItem triggering, MonitoredItem item)
    {
        var links = triggering.Extras.Triggered ??= [];
        if (links.Contains(item))
            return StatusCode.Good;
        if (links.Count >= engine.Limits.MaxTriggeredItemsPerItem ||
            item.ExtrasOrNull?.TriggeredBy?.Count >= engine.Limits.MaxTriggeredItemsPerItem)
        {
            engine.Counters.OnItemRefused();
            return StatusCodes.BadTooManyMonitoredItems;
        }

        links.Add(item);
        (item.Extras.TriggeredBy ??= []).Add(triggering);
        triggering.Extras.Durable?.OnSettingsChanged();
        return StatusCode.Good;
    }
}
