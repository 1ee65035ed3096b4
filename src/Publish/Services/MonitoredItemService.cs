using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Items;
using Gateway.Publish.Shards;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish.Services;

/// <summary>CreateMonitoredItems and DeleteMonitoredItems. Checks run without a lock, each item is added or removed in
/// a slice of its own. Source: Part 4 §5.13.2, §5.13.6.</summary>
internal sealed class MonitoredItemService(
    PublishEngine engine, ItemRequestCheck check, NodeTable nodes, ValueStore store)
{
    public CreateMonitoredItemsResponse Create(PublishSession session, CreateMonitoredItemsRequest request)
    {
        var items = request.ItemsToCreate;
        var status = CheckCall(session, request.SubscriptionId, items?.Length ?? 0);
        if (!ItemRequestCheck.TryGetTimestamps(request.TimestampsToReturn, out var timestamps))
            status = StatusCodes.BadTimestampsToReturnInvalid;
        if (status.IsBad)
            return new CreateMonitoredItemsResponse { ResponseHeader = Result(status) };
        var results = new MonitoredItemCreateResult[items!.Length];
        for (var i = 0; i < items.Length; i++)
        {
            status = check.Check(session.Access, items[i], timestamps, out var item);
            results[i] = status.IsBad
                ? new MonitoredItemCreateResult { StatusCode = status }
                : CreateItem(session, request.SubscriptionId, item);
        }

        return new CreateMonitoredItemsResponse { Results = results };
    }

    public DeleteMonitoredItemsResponse Delete(PublishSession session, DeleteMonitoredItemsRequest request)
    {
        var ids = request.MonitoredItemIds;
        var status = CheckCall(session, request.SubscriptionId, ids?.Length ?? 0);
        if (status.IsBad)
            return new DeleteMonitoredItemsResponse { ResponseHeader = Result(status) };
        var results = new StatusCode[ids!.Length];
        for (var i = 0; i < ids.Length; i++)
        {
            lock (session.Shard.Lock)
            {
                var removed = session.Find(request.SubscriptionId) is { } subscription &&
                    RemoveUnderLock(session.Shard, subscription, ids[i]);
                results[i] = removed ? StatusCode.Good : StatusCodes.BadMonitoredItemIdInvalid;
            }
        }

        return new DeleteMonitoredItemsResponse { Results = results };
    }

    private static ResponseHeader Result(StatusCode status) => new() { ServiceResult = status };

    /// <summary>What holds for a whole call; a call that names the subscription shows that its client lives.</summary>
    private StatusCode CheckCall(PublishSession session, uint subscriptionId, int operations)
    {
        lock (session.Shard.Lock)
        {
            var subscription = session.Find(subscriptionId);
            if (subscription is null)
                return StatusCodes.BadSubscriptionIdInvalid;
            subscription.ResetLifetime();
        }

        if (operations == 0)
            return StatusCodes.BadNothingToDo;
        return operations > engine.Limits.MaxMonitoredItemsPerCall ? StatusCodes.BadTooManyOperations : StatusCode.Good;
    }

    private MonitoredItemCreateResult CreateItem(PublishSession session, uint subscriptionId, in ItemRequest request)
    {
        var initial = FindInitial(request);
        var queueSize = request.QueueSize;
        lock (session.Shard.Lock)
        {
            var subscription = session.Find(subscriptionId);
            if (subscription is null ||
                subscription.Items.Count >= engine.Limits.MaxMonitoredItemsPerSubscription ||
                !engine.Counters.TryReserveItem(ref queueSize))
            {
                initial?.Release();
                engine.Counters.OnItemRefused();
                var refused = subscription is null
                    ? StatusCodes.BadSubscriptionIdInvalid
                    : StatusCodes.BadTooManyMonitoredItems;
                return new MonitoredItemCreateResult { StatusCode = refused };
            }

            var item = AddUnderLock(subscription, request, queueSize);
            if (item.Mode != MonitoringMode.Disabled)
                StartUnderLock(session.Shard, item, ref initial);
            initial?.Release();
            return new MonitoredItemCreateResult
            {
                MonitoredItemId = item.Id,
                RevisedSamplingInterval = item.SamplingIntervalMs,
                RevisedQueueSize = (uint)queueSize,
            };
        }
    }

    private MonitoredItem AddUnderLock(Subscription subscription, in ItemRequest request, int queueSize)
    {
        var sampling = check.ReviseSampling(request, subscription.Times.PublishingIntervalMs);
        var item = new MonitoredItem(subscription, ++subscription.LastItemId, request.Node, request.Attribute)
        {
            ClientHandle = request.ClientHandle,
            Timestamps = request.Timestamps,
            Mode = request.Mode,
            Condition = request.Condition,
            DiscardOldest = request.DiscardOldest,
            Range = request.Range,
            SamplingIntervalMs = sampling,
            SamplingTicks = sampling == 0 ? 0 : EngineClock.FromMilliseconds(sampling),
            SamplingOrigin = subscription.Due - subscription.IntervalTicks,
            Queue = new ItemQueue(queueSize),
        };
        subscription.Items.Add(item.Id, item);
        return item;
    }

    /// <summary>Watches the node first and looks at the store then: no change falls between.</summary>
    private void StartUnderLock(Shard shard, MonitoredItem item, ref SharedValue? initial)
    {
        if (item.Attribute == AttributeId.Value)
        {
            shard.Changes.WatchUnderLock(item);
            var current = store.Acquire(item.Node);
            if (current is not null)
            {
                initial?.Release();
                initial = current;
            }
        }

        item.TakeInitial(initial ?? store.Make(new DataValue(StatusCodes.BadWaitingForInitialData)));
        initial = null;
    }

    /// <summary>A value that the store does not have: another attribute, or one that its source reads at once. Null
    /// where there is none; the caller releases it.</summary>
    private SharedValue? FindInitial(in ItemRequest request)
    {
        if (request.Mode == MonitoringMode.Disabled)
            return null;
        if (request.Attribute != AttributeId.Value)
        {
            var status = nodes.ReadAttribute(request.Node, request.Attribute, out var attribute);
            return store.Make(new DataValue(attribute, status));
        }

        if (store.Contains(request.Node) || nodes.SourceOf(request.Node) is not { } source)
            return null;
        return source.TryRead(request.Node, 0, out var value) ? store.Make(value) : null;
    }

    private bool RemoveUnderLock(Shard shard, Subscription subscription, uint itemId)
    {
        if (!subscription.Items.Remove(itemId, out var item))
            return false;
        shard.Changes.UnwatchUnderLock(item);
        item.Clear();
        engine.Counters.ReleaseItem(item.Queue.Size);
        return true;
    }
}
