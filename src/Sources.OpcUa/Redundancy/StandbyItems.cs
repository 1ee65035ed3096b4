using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Items;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Redundancy;

/// <summary>
/// The upstream's items once more, at a server that stands by: they sample into their queues there, and their
/// subscriptions publish nothing until that server takes over. Then they do, with what the queues have. Thread: the
/// connector's loop and its job of one connection, never both at once; the count from any. Errors:
/// <see cref="ServiceException"/>.
/// Source: Part 4 §6.6.2.4.5.5, §5.14.4.
/// </summary>
/// <param name="session">Of the standby.</param>
/// <param name="link">Upon it.</param>
/// <param name="subscriptions">Of these items, with the first one.</param>
/// <param name="relay">Of their messages.</param>
/// <param name="requests">Makes the operations.</param>
/// <param name="maxItems">Of the upstream's budget.</param>
internal sealed class StandbyItems(
    IUpstreamSession session, UpstreamLink link, UpstreamSubscriptions subscriptions, StandbyRelay relay,
    ItemFollower requests, int maxItems)
{
    private readonly Dictionary<int, StandbyItem> _items = [];

    /// <summary>The standby has no room for them, or refuses them. They are made when it takes over.</summary>
    private readonly HashSet<int> _refused = [];
    private volatile int _count;
    private volatile bool _isWhole;

    public IUpstreamSession Session => session;

    public UpstreamLink Link => link;

    public UpstreamSubscriptions Subscriptions => subscriptions;

    public IReadOnlyDictionary<int, StandbyItem> Items => _items;

    public int Count => _count;

    /// <summary>All that is followed is here, or was refused; and no request is without its answer.</summary>
    public bool IsReady => _isWhole && !HasLeaked;

    /// <summary>See <see cref="StandbyRelay.HasLeaked"/>.</summary>
    public bool HasLeaked => relay.HasLeaked || Events is { HasLeaked: true };

    /// <summary>Null: no events are followed.</summary>
    public StandbyEvents? Events { get; init; }

    /// <summary>As the upstream has them now.</summary>
    public async ValueTask FollowAsync(Dictionary<int, MirroredItem> wanted, CancellationToken cancellation)
    {
        _isWhole = false;
        _refused.RemoveWhere(node => !wanted.ContainsKey(node));
        await DeleteAsync([.. _items.Keys.Where(node => !wanted.ContainsKey(node))], cancellation)
            .ConfigureAwait(false);
        var created = wanted.Values.Where(IsNew).Take(Math.Max(0, maxItems - _items.Count));
        await CreateAsync([.. created], cancellation).ConfigureAwait(false);
        await ModifyAsync([.. wanted.Values.Where(IsOther)], cancellation).ConfigureAwait(false);
        _isWhole = true;
    }

    /// <summary>All of them publish from now on, and the events with them. One request, whatever their number.
    /// Source: Part 4 §5.14.4.</summary>
    /// <param name="active">Its requests go by the upstream's budget.</param>
    /// <param name="events">Null: none.</param>
    /// <param name="cancellation">Ends it.</param>
    /// <returns>How it went with the events.</returns>
    public async Task<StatusCode> PublishAsync(
        IUpstreamSession active, GrantedSubscription? events, CancellationToken cancellation)
    {
        relay.Open();
        subscriptions.OnPublishing();
        List<uint> ids = [.. Enumerable.Range(0, subscriptions.Count).Select(i => subscriptions[i].Subscription.Id)];
        if (events is { } others)
            ids.Add(others.Id);
        var request = new SetPublishingModeRequest { PublishingEnabled = true, SubscriptionIds = [.. ids] };
        var response = await active
            .InvokeAsync<SetPublishingModeRequest, SetPublishingModeResponse>(request, cancellation)
            .ConfigureAwait(false);
        var results = UpstreamRequests.Matching(response.Results, ids.Count);
        if (results.Take(subscriptions.Count).FirstOrDefault(static one => one.IsBad) is { IsBad: true } refused)
            throw new ServiceException(refused, "SetPublishingMode");
        return results.Length > subscriptions.Count ? results[^1] : StatusCode.Good;
    }

    /// <summary>The session stays, without them.</summary>
    public async ValueTask DropAsync(CancellationToken cancellation)
    {
        if (Events is { } events)
            await events.DropAsync(cancellation).ConfigureAwait(false);
        for (var i = 0; i < subscriptions.Count; i++)
            await session.UnsubscribeAsync(subscriptions[i].Subscription, cancellation).ConfigureAwait(false);
    }

    private bool IsNew(MirroredItem one) => !_items.ContainsKey(one.Node) && !_refused.Contains(one.Node);

    private bool IsOther(MirroredItem one) => _items.TryGetValue(one.Node, out var has) &&
        (!has.Item.AskedMs.Equals(one.AskedMs) || has.Timestamps != one.Timestamps);

    private async ValueTask DeleteAsync(List<int> nodes, CancellationToken cancellation)
    {
        foreach (var group in nodes.GroupBy(node => _items[node].Item.Subscription))
        {
            foreach (var part in group.Chunk(link.Sizes.MonitoredItemsPerCall))
            {
                var request = new DeleteMonitoredItemsRequest
                {
                    SubscriptionId = group.Key,
                    MonitoredItemIds = Array.ConvertAll(part, node => _items[node].Item.Id),
                };
                await link.Session
                    .InvokeAsync<DeleteMonitoredItemsRequest, DeleteMonitoredItemsResponse>(request, cancellation)
                    .ConfigureAwait(false);
                foreach (var node in part)
                    _items.Remove(node);
                subscriptions.Removed(group.Key, part.Length);
                // There is room for others.
                _refused.Clear();
                _count = _items.Count;
            }
        }
    }

    private async ValueTask CreateAsync(List<MirroredItem> wanted, CancellationToken cancellation)
    {
        for (var i = 0; wanted.Count > 0; i++)
        {
            var room = i < subscriptions.Count
                ? subscriptions[i]
                : await subscriptions.TryAddAsync(link.Session, cancellation).ConfigureAwait(false);
            if (room is null)
            {
                _refused.UnionWith(wanted.Select(static one => one.Node));
                return;
            }

            relay.SubscriptionCount = subscriptions.Count;
            wanted = await CreateAsync(room, wanted, cancellation).ConfigureAwait(false);
            if (room.Capacity == 0)
                subscriptions.Exhaust();
        }
    }

    /// <returns>Those for which it has no room.</returns>
    private async ValueTask<List<MirroredItem>> CreateAsync(
        SubscriptionRoom room, List<MirroredItem> wanted, CancellationToken cancellation)
    {
        List<MirroredItem> left = [];
        var at = 0;
        while (at < wanted.Count && room.Left > 0)
        {
            var part = wanted.GetRange(
                at, Math.Min(wanted.Count - at, Math.Min(room.Left, link.Sizes.MonitoredItemsPerCall)));
            at += part.Count;
            var request = new CreateMonitoredItemsRequest
            {
                SubscriptionId = room.Subscription.Id,
                TimestampsToReturn = TimestampsToReturn.Source,
                ItemsToCreate = [.. part.Select(one => requests.Item(link, one))],
            };
            var response = await link.Session
                .InvokeAsync<CreateMonitoredItemsRequest, CreateMonitoredItemsResponse>(request, cancellation)
                .ConfigureAwait(false);
            left.AddRange(Take(room, part, UpstreamRequests.Matching(response.Results, part.Count)));
            if (left.Count > 0)
                room.Capacity = room.Items;
        }

        left.AddRange(wanted.Skip(at));
        return left;
    }

    private List<MirroredItem> Take(
        SubscriptionRoom room, List<MirroredItem> part, MonitoredItemCreateResult[] results)
    {
        List<MirroredItem> left = [];
        for (var i = 0; i < part.Count; i++)
        {
            var (one, result) = (part[i], results[i]);
            if (result.StatusCode == StatusCodes.BadTooManyMonitoredItems)
            {
                left.Add(one);
                continue;
            }

            if (result.StatusCode.IsBad)
            {
                _refused.Add(one.Node);
                continue;
            }

            room.Items++;
            _items[one.Node] = new StandbyItem(
                new ActiveItem(
                    room.Subscription.Id, result.MonitoredItemId, (float)result.RevisedSamplingInterval, one.AskedMs,
                    result.RevisedQueueSize),
                one.Timestamps);
        }

        _count = _items.Count;
        return left;
    }

    private async ValueTask ModifyAsync(List<MirroredItem> changed, CancellationToken cancellation)
    {
        foreach (var group in changed.GroupBy(one => _items[one.Node].Item.Subscription))
        {
            foreach (var part in group.Chunk(link.Sizes.MonitoredItemsPerCall))
            {
                var request = new ModifyMonitoredItemsRequest
                {
                    SubscriptionId = group.Key,
                    TimestampsToReturn = TimestampsToReturn.Source,
                    ItemsToModify = Array.ConvertAll(part, one => new MonitoredItemModifyRequest
                    {
                        MonitoredItemId = _items[one.Node].Item.Id,
                        RequestedParameters = requests.Parameters(one),
                    }),
                };
                var response = await link.Session
                    .InvokeAsync<ModifyMonitoredItemsRequest, ModifyMonitoredItemsResponse>(request, cancellation)
                    .ConfigureAwait(false);
                var results = UpstreamRequests.Matching(response.Results, part.Length);
                for (var i = 0; i < part.Length; i++)
                    _items[part[i].Node] = new StandbyItem(
                        _items[part[i].Node].Item.Modified(
                            request.ItemsToModify[i], results[i], (float)results[i].RevisedSamplingInterval),
                        part[i].Timestamps);
            }
        }
    }
}
