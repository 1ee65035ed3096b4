using Gateway.AddressSpace.Values;
using Gateway.Admission.Stages;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Items;
using Gateway.Publish.Quotas;
using Gateway.Publish.Shards;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish.Services;

/// <summary>CreateMonitoredItems and DeleteMonitoredItems. Checks run without a lock, each item is added or removed in
/// a slice of its own. Source: Part 4 §5.13.2, §5.13.6.</summary>
internal sealed class MonitoredItemService(
    PublishEngine engine, ItemRequestCheck check, ItemStart start)
{
    /// <summary>Of one item: room that was made may be another's before it is taken.</summary>
    private const int MaxTries = 8;

    public CreateMonitoredItemsResponse Create(Consumer consumer, CreateMonitoredItemsRequest request)
    {
        var items = request.ItemsToCreate;
        var status = CheckCall(consumer, request.SubscriptionId, items?.Length ?? 0, out var isDurable);
        if (!ItemRequestCheck.TryGetTimestamps(request.TimestampsToReturn, out var timestamps))
            status = StatusCodes.BadTimestampsToReturnInvalid;
        if (status.IsBad)
            return new CreateMonitoredItemsResponse { ResponseHeader = Result(status) };
        var results = new MonitoredItemCreateResult[items!.Length];
        for (var i = 0; i < items.Length; i++)
        {
            var access = consumer.Access;
            status = check.Check(
                access, items[i], timestamps, isDurable, consumer.Owner.HolderKey, out var item);
            if (item.IsDenied || status.IsBad)
                access.OnDenied(items[i].ItemToMonitor.NodeId, item.Node, item.Attribute);
            results[i] = status.IsBad
                ? new MonitoredItemCreateResult
                {
                    StatusCode = status,
                    FilterResult = new ExtensionObject(item.FilterResult),
                }
                : CreateItem(consumer, access, request.SubscriptionId, item);
            if (results[i].StatusCode.IsBad && item.EventFilter is { } unused)
                engine.Events.Release(unused);
        }

        return new CreateMonitoredItemsResponse { Results = results };
    }

    public int BytesToCut(MonitoredItemCreateRequest request) => request.ItemToMonitor is
    {
        AttributeId: (uint)AttributeId.Value,
        IndexRange.Length: > 0,
    } watched ? start.BytesOf(watched.NodeId) : 0;

    public DeleteMonitoredItemsResponse Delete(Consumer consumer, DeleteMonitoredItemsRequest request)
    {
        var ids = request.MonitoredItemIds;
        var status = CheckCall(consumer, request.SubscriptionId, ids?.Length ?? 0);
        if (status.IsBad)
            return new DeleteMonitoredItemsResponse { ResponseHeader = Result(status) };
        var results = new StatusCode[ids!.Length];
        for (var i = 0; i < ids.Length; i++)
        {
            using (consumer.Shard.Enter())
            {
                var removed = consumer.Find(request.SubscriptionId) is { } subscription &&
                    RemoveUnderLock(consumer.Shard, subscription, ids[i]);
                results[i] = removed ? StatusCode.Good : StatusCodes.BadMonitoredItemIdInvalid;
            }
        }

        return new DeleteMonitoredItemsResponse { Results = results };
    }

    /// <summary>The checks of a whole call; a call that names the subscription shows that its client lives.</summary>
    public StatusCode CheckCall(Consumer consumer, uint subscriptionId, int operations) =>
        CheckCall(consumer, subscriptionId, operations, out _);

    public StatusCode CheckCall(Consumer consumer, uint subscriptionId, int operations, out bool isDurable)
    {
        using (consumer.Shard.Enter())
        {
            var subscription = consumer.Find(subscriptionId);
            isDurable = subscription?.Durable is not null;
            if (subscription is null)
                return StatusCodes.BadSubscriptionIdInvalid;
            subscription.ResetLifetime();
        }

        if (operations == 0)
            return StatusCodes.BadNothingToDo;
        return operations > engine.Limits.MaxMonitoredItemsPerCall ? StatusCodes.BadTooManyOperations : StatusCode.Good;
    }

    public static bool IsDurable(Consumer consumer, uint subscriptionId)
    {
        using (consumer.Shard.Enter())
            return consumer.Find(subscriptionId)?.Durable is not null;
    }

    private static ResponseHeader Result(StatusCode status) => new() { ServiceResult = status };

    /// <param name="access">By which the request was checked; where the consumer has another user by now, the item is
    /// checked again.</param>
    private MonitoredItemCreateResult CreateItem(
        Consumer consumer, IItemAccess access, uint subscriptionId, in ItemRequest request)
    {
        var initial = request.Mode == MonitoringMode.Disabled || request.IsDenied
            ? null
            : start.FindInitial(access, request.Node, request.Attribute);
        engine.RoomMaker.MakeRoomForQueue(consumer, request.QueueSize);
        var isExchange = false;
        for (var tries = 0; ; tries++)
        {
            var verdict = QuotaVerdict.HolderFull;
            var queueSize = request.QueueSize;
            bool isKnown;
            bool isFull;
            var isDiskFull = false;
            using (consumer.Shard.Enter())
            {
                var subscription = consumer.Find(subscriptionId);
                isKnown = subscription is not null;
                isFull = subscription?.Items.Count >= engine.Limits.MaxMonitoredItemsPerSubscription;
                if (isKnown && !isFull)
                    verdict = engine.Quotas.TryTakeItem(consumer, ref queueSize, isExchange);
                isDiskFull = verdict == QuotaVerdict.Granted && subscription!.Durable is { } durable &&
                    !engine.Durable.TryAddItem(durable);
                if (isDiskFull)
                {
                    engine.Quotas.ReleaseItem(consumer, queueSize);
                    verdict = QuotaVerdict.HolderFull;
                }

                if (verdict == QuotaVerdict.Granted)
                {
                    var sampling = check.ReviseSampling(request, subscription!.Times.PublishingIntervalMs);
                    var item = AddUnderLock(subscription, request, queueSize, sampling);
                    var isAllowed = !request.IsDenied && ReferenceEquals(access, consumer.Access);
                    StartUnderLock(consumer, item, initial, isAllowed);
                    return ResultOf(item, sampling, queueSize, request.FilterResult);
                }
            }

            if (tries < MaxTries && engine.RoomMaker.TryMakeRoom(consumer, verdict, Amount.Item, out isExchange))
                continue;
            initial?.Release();
            engine.Counters.OnItemRefused();
            if (!isKnown)
                return new MonitoredItemCreateResult { StatusCode = StatusCodes.BadSubscriptionIdInvalid };
            var reason = isFull ? RefusalReason.MaxMonitoredItemsPerSubscription
                : isDiskFull ? RefusalReason.MaxDurableMonitoredItems
                : QuotaBook.ReasonOf(verdict, consumer, Amount.Item);
            access.OnRefused(StatusCodes.BadTooManyMonitoredItems, reason);
            return new MonitoredItemCreateResult { StatusCode = StatusCodes.BadTooManyMonitoredItems };
        }
    }

    private static MonitoredItemCreateResult ResultOf(
        MonitoredItem item, double sampling, int queueSize, EventFilterResult? filter) => new()
        {
            FilterResult = new ExtensionObject(filter),
            MonitoredItemId = item.Id,
            RevisedSamplingInterval = sampling,
            RevisedQueueSize = (uint)queueSize,
        };

    /// <param name="isAllowed">The present user's permission to read it was checked.</param>
    private void StartUnderLock(Consumer consumer, MonitoredItem item, SharedValue? initial, bool isAllowed)
    {
        if (item.Mode != MonitoringMode.Disabled && isAllowed)
        {
            start.StartUnderLock(consumer.Shard, item, initial);
            return;
        }

        initial?.Release();
        if (item.Mode != MonitoringMode.Disabled)
            start.StartAgainUnderLock(consumer.Shard, item);
    }

    private MonitoredItem AddUnderLock(
        Subscription subscription, in ItemRequest request, int queueSize, double samplingMs)
    {
        var item = new MonitoredItem(subscription, ++subscription.LastItemId, request.Attribute)
        {
            Node = request.Node,
            ClientHandle = request.ClientHandle,
            Timestamps = request.Timestamps,
            Mode = request.Mode,
            DiscardOldest = request.DiscardOldest,
            Queue = new ItemQueue(queueSize),
        };
        if (request.EventFilter is { } filter)
            item.Extras.Event = new EventItem(engine.Events, filter);
        if (!request.Range.IsEmpty)
            item.Extras.Range = request.Range;
        item.SetFilter(request.Condition, request.PercentDeadband);
        item.SetSampling(
            ItemRequestCheck.OwnSampling(request, samplingMs), subscription.Due - subscription.IntervalTicks,
            subscription.Shard.Values);
        if (subscription.Durable is { } durable)
        {
            item.Extras.Durable = new DurableItem(item, durable);
            item.Extras.Durable.OnSettingsChanged();
        }

        subscription.Items.Add(item.Id, item);
        subscription.QueueCapacity += queueSize;
        return item;
    }

    private bool RemoveUnderLock(Shard shard, Subscription subscription, uint itemId)
    {
        if (!subscription.Items.Remove(itemId, out var item))
            return false;
        item.ExtrasOrNull?.Durable?.OnDeleted();
        shard.Changes.UnwatchUnderLock(item);
        item.Clear();
        shard.Events.ReleaseUnderLock(item);
        Unlink(item);
        if (item.Mode == MonitoringMode.Disabled)
            subscription.Counts.DisabledItems--;
        subscription.QueueCapacity -= item.Queue.Size;
        engine.Quotas.ReleaseItem(subscription.Consumer, item.Queue.Size);
        return true;
    }

    /// <summary>A removed item triggers nothing, and no item triggers it any more.</summary>
    private static void Unlink(MonitoredItem gone)
    {
        if (gone.ExtrasOrNull is not { } extras)
            return;
        foreach (var triggering in extras.TriggeredBy ?? [])
            triggering.Extras.Triggered!.Remove(gone);
        foreach (var triggered in extras.Triggered ?? [])
            triggered.Extras.TriggeredBy!.Remove(gone);
    }
}
