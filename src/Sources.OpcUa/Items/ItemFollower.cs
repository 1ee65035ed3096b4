using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Load;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Items;

/// <summary>Keeps the monitored items upstream in line with <see cref="UpstreamItems"/>, by requests of the size that
/// the upstream takes. Thread: the connector's loop. Errors: <see cref="Client.ServiceException"/>, <see
/// cref="UpstreamBoundException"/>.</summary>
internal sealed class ItemFollower(UpstreamItems items, NodeTable nodes, UpstreamLimits limits)
{
    /// <summary>Of each item. Sampling and publishing run apart: now and then two samples meet one publish.</summary>
    public const uint QueueSize = 4;

    /// <summary>With the samples of a short break. An upstream that grants less tells an overflow.</summary>
    private const double LargestQueue = 1_000;

    private static readonly ExtensionObject TimestampFilter =
        new(new DataChangeFilter { Trigger = DataChangeTrigger.StatusValueTimestamp });

    private bool _isShortQueueTold;

    /// <summary>The connection was lost before an answer on items came: nobody knows which ones the upstream has.
    /// </summary>
    public bool IsInDoubt { get; private set; }

    /// <summary>Until the next connection is followed: a change of the items is under way elsewhere.</summary>
    public void Doubt() => IsInDoubt = true;

    /// <summary>Of the upstream; null: without a limit.</summary>
    public UpstreamLoad? Load { get; set; }

    /// <summary>Told once a connection, of the first item whose queue is shorter than asked for: asked, granted.
    /// </summary>
    public Action<uint, uint>? OnShortQueue { get; set; }

    /// <summary>Follows the wishes until it is cancelled or a request fails.</summary>
    public async Task FollowAsync(
        UpstreamLink link, UpstreamSubscriptions subscriptions, CancellationToken cancellation)
    {
        (IsInDoubt, _isShortQueueTold) = (false, false);
        while (true)
        {
            await items.WaitAsync(cancellation).ConfigureAwait(false);
            var changes = items.TakeChanges(link);
            var (create, delete, retime) = changes;
            if (changes.TryAgain)
                subscriptions.TryAgain();
            await CreateAsync(link, subscriptions, create, cancellation).ConfigureAwait(false);
            await DeleteAsync(link, subscriptions, delete, cancellation).ConfigureAwait(false);
            await ModifyAsync(link, retime, cancellation).ConfigureAwait(false);
            await RefreshAsync(link, items.UnreadHandles(link), cancellation).ConfigureAwait(false);
        }
    }

    /// <summary>Into the subscriptions that there are, and into more of them where these have no room.</summary>
    private async ValueTask CreateAsync(
        UpstreamLink link, UpstreamSubscriptions subscriptions, List<int> handles, CancellationToken cancellation)
    {
        handles = WithinBudget(link, handles);
        for (var i = 0; handles.Count > 0; i++)
        {
            var room = i < subscriptions.Count
                ? subscriptions[i]
                : await subscriptions.TryAddAsync(link.Session, cancellation).ConfigureAwait(false);
            if (room is null)
            {
                Refused(items.OnNoRoom(link, handles), LoadBudget.Reads, "the upstream takes no more items");
                return;
            }

            items.SubscriptionCount = subscriptions.Count;
            handles = await CreateAsync(link, room, handles, cancellation).ConfigureAwait(false);
            if (room.Capacity == 0)
                subscriptions.Exhaust();
        }
    }

    /// <returns>Those that the budget has room for.</returns>
    private List<int> WithinBudget(UpstreamLink link, List<int> handles)
    {
        var (budget, own) = (Load?.Budget.MaxItems ?? int.MaxValue, link.Sizes.MonitoredItems);
        var most = Math.Min(budget, own);
        var room = Math.Max(0, most - items.ActiveCount);
        if (handles.Count <= room)
            return handles;
        var above = handles[room..];
        var whose = own < budget ? "all that it has (MaxMonitoredItems)" : "its MaxItems";
        Refused(items.OnNoRoom(link, above), LoadBudget.Items, $"{most} items are monitored there, {whose}");
        return handles[..room];
    }

    private void Refused(int count, LoadBudget budget, string reason)
    {
        if (count > 0)
            Load?.Refused(
                budget, reason + ", and half of its MaxReadsPerSecond is used up by nodes that are read instead",
                count);
    }

    /// <returns>Those for which it has no room.</returns>
    private async ValueTask<List<int>> CreateAsync(
        UpstreamLink link, SubscriptionRoom room, List<int> handles, CancellationToken cancellation)
    {
        List<int> refused = [];
        var at = 0;
        while (at < handles.Count && room.Left > 0)
        {
            var part = handles.GetRange(
                at, Math.Min(handles.Count - at, Math.Min(room.Left, link.Sizes.MonitoredItemsPerCall))).ToArray();
            at += part.Length;
            var requests = Array.ConvertAll(part, handle => Item(link, handle));
            var request = new CreateMonitoredItemsRequest
            {
                SubscriptionId = room.Subscription.Id,
                TimestampsToReturn = TimestampsToReturn.Source,
                ItemsToCreate = requests,
            };
            var response = await Creating(link)
                .InvokeAsync<CreateMonitoredItemsRequest, CreateMonitoredItemsResponse>(request, cancellation)
                .ConfigureAwait(false);
            var results = UpstreamRequests.Matching(response.Results, part.Length);
            refused.AddRange(items.OnCreated(link, room.Subscription.Id, part, requests, results, out var isTaken));
            IsInDoubt = !isTaken;
            TellShortQueue(requests, results);
            room.Items += results.Count(static one => !one.StatusCode.IsBad);
            if (refused.Count > 0)
                room.Capacity = room.Items;
        }

        refused.AddRange(handles.Skip(at));
        return refused;
    }

    /// <summary>From the moment when a Create goes until its answer was taken nobody knows which items there are.
    /// While it waits for its turn nothing has changed.</summary>
    private IUpstreamSession Creating(UpstreamLink link)
    {
        if (link.Session is BudgetedSession budgeted)
            return budgeted.Telling(Doubt);
        Doubt();
        return link.Session;
    }

    private void TellShortQueue(MonitoredItemCreateRequest[] requests, MonitoredItemCreateResult[] results)
    {
        for (var i = 0; i < requests.Length && !_isShortQueueTold; i++)
        {
            var (asked, granted) = (requests[i].RequestedParameters.QueueSize, results[i].RevisedQueueSize);
            if (results[i].StatusCode.IsBad || granted >= asked)
                continue;
            _isShortQueueTold = true;
            OnShortQueue?.Invoke(asked, granted);
        }
    }

    private async ValueTask DeleteAsync(
        UpstreamLink link, UpstreamSubscriptions subscriptions, List<int> handles, CancellationToken cancellation)
    {
        foreach (var part in handles.Chunk(link.Sizes.MonitoredItemsPerCall))
        {
            foreach (var group in items.TakeActive(link, part).GroupBy(static one => one.Subscription))
            {
                IsInDoubt = true;
                uint[] ids = [.. group.Select(static one => one.Id)];
                var request = new DeleteMonitoredItemsRequest
                {
                    SubscriptionId = group.Key,
                    MonitoredItemIds = ids,
                };
                await link.Session
                    .InvokeAsync<DeleteMonitoredItemsRequest, DeleteMonitoredItemsResponse>(request, cancellation)
                    .ConfigureAwait(false);
                subscriptions.Removed(group.Key, ids.Length);
                items.OnRoom();
                // They have gone at both ends.
                IsInDoubt = false;
            }
        }
    }

    /// <summary>An upstream that has no such filter goes on without: its item stays as it is.</summary>
    private async ValueTask ModifyAsync(UpstreamLink link, List<int> retime, CancellationToken cancellation)
    {
        foreach (var group in items.TakeModified(link, retime).GroupBy(static change => change.Item.Subscription))
        {
            foreach (var part in group.Chunk(link.Sizes.MonitoredItemsPerCall))
            {
                IsInDoubt = true;
                var request = new ModifyMonitoredItemsRequest
                {
                    SubscriptionId = group.Key,
                    TimestampsToReturn = TimestampsToReturn.Source,
                    ItemsToModify = Array.ConvertAll(part, change => new MonitoredItemModifyRequest
                    {
                        MonitoredItemId = change.Item.Id,
                        RequestedParameters = Parameters(Asked(change.Node, change.Timestamps)),
                    }),
                };
                var response = await link.Session
                    .InvokeAsync<ModifyMonitoredItemsRequest, ModifyMonitoredItemsResponse>(request, cancellation)
                    .ConfigureAwait(false);
                IsInDoubt = !items.OnModified(
                    link, request.ItemsToModify, UpstreamRequests.Matching(response.Results, part.Length));
            }
        }
    }

    private async ValueTask RefreshAsync(UpstreamLink link, int[] handles, CancellationToken cancellation)
    {
        foreach (var part in handles.Chunk(link.Sizes.NodesPerRead))
        {
            var reads = Array.ConvertAll(part, handle => Item(link, handle).ItemToMonitor);
            var allowance = new ValueAllowance(limits.MaxUpstreamAnswerBytes);
            var read = await link.Session.ReadAsync(reads, 0, link.Sizes.NodesPerRead, allowance, cancellation)
                .ConfigureAwait(false);
            items.TakeRefreshed(link, part, read, ReadValues.ToLocal(link, read));
        }
    }

    private MonitoredItemCreateRequest Item(UpstreamLink link, int handle) =>
        Item(link, Asked(handle, timestamps: false));

    private MirroredItem Asked(int handle, bool timestamps) => new(handle, (float)items.AskedMs(handle), timestamps);

    /// <summary>To be made.</summary>
    public MonitoredItemCreateRequest Item(UpstreamLink link, in MirroredItem item)
    {
        // A namespace that the upstream no longer has gives a null id, and the item its Bad_NodeIdUnknown.
        link.Namespaces.TryToUpstream(nodes.GetNodeId(new NodeHandle(item.Node)), out var id);
        return new MonitoredItemCreateRequest
        {
            ItemToMonitor = new ReadValueId { NodeId = id, AttributeId = (uint)AttributeId.Value },
            MonitoringMode = MonitoringMode.Reporting,
            RequestedParameters = Parameters(item),
        };
    }

    public MonitoringParameters Parameters(in MirroredItem item) => new()
    {
        ClientHandle = (uint)item.Node,
        SamplingInterval = item.AskedMs,
        Filter = item.Timestamps ? TimestampFilter : default,
        QueueSize = QueueSize + SamplesOfABreak(item.AskedMs),
        DiscardOldest = true,
    };

    private uint SamplesOfABreak(double askedMs) =>
        (uint)Math.Min(LargestQueue, Math.Ceiling(items.Bridge.TotalMilliseconds / askedMs));
}
