using System.Threading.Channels;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Items;
using Gateway.Publish.Shards;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish.Streams;

/// <summary>
/// A subscription without a session, for a consumer inside the process: REST streams, WebSockets, DataSetWriters. Its
/// items are those of any subscription: sampling, filters, rights, limits, and what happens when a node goes and comes
/// back. Each interval in which something has changed brings a <see cref="StreamBatch"/>, by a bounded channel. A slow
/// consumer delays no other: as long as it has as many batches as it may, or as many values as its items' queues hold,
/// changes stay in these queues. There a newer value replaces an older one where the queue is full, which
/// <see cref="Skipped"/> counts; a disposed batch brings the next one at once. There are no keep-alives and no
/// lifetime: the stream lives until its owner disposes it, the server stops, or its user changes.
/// </summary>
public sealed class ValueStream : Consumer, IDisposable
{
    private readonly Channel<StreamBatch> _batches;
    private readonly int _maxBatches;
    private StatusCode? _reason;
    private int _lent;
    private long _held;
    private long _toldSkipped;
    private int _lastCount;

    internal ValueStream(
        PublishEngine engine, Shard shard, IItemAccess access, SessionOwner owner, StreamOptions options)
        : base(engine, shard, access, owner)
    {
        var most = engine.Limits.MaxNotificationsPerPublish;
        _maxBatches = Math.Max(1, options.MaxBatches);
        _batches = Channel.CreateBounded<StreamBatch>(new BoundedChannelOptions(_maxBatches) { SingleWriter = true });
        Subscription = new Subscription(engine.NextSubscriptionId(), this, new RetransmissionQueue(0, 0))
        {
            MaxNotificationsPerPublish =
                options.MaxChangesPerBatch > 0 ? Math.Min(options.MaxChangesPerBatch, most) : most,
        };
    }

    /// <summary>Completes when the stream is closed; <see cref="Status"/> then says why. The reader of a batch disposes
    /// it.</summary>
    public ChannelReader<StreamBatch> Batches => _batches.Reader;

    /// <summary>Good while the stream is open, and when its owner has closed it.</summary>
    public StatusCode Status => _reason ?? (IsClosed ? StatusCodes.BadInternalError : StatusCode.Good);

    /// <summary>Values that the items' queues have given up for newer ones, since the stream was opened.</summary>
    public long Skipped => Volatile.Read(ref Subscription.Counts.Discarded);

    /// <summary>As revised.</summary>
    public double IntervalMs => Subscription.Times.PublishingIntervalMs;

    /// <summary>Items of one call that adds, modifies or removes them; above it a call does nothing.
    /// </summary>
    public int MaxItemsPerCall => Engine.Limits.MaxMonitoredItemsPerCall;

    /// <summary>Under which reports name it; no session can reach it.</summary>
    public uint SubscriptionId => Subscription.Id;

    internal Subscription Subscription { get; }

    internal override bool HasPublicSubscriptions => false;

    /// <summary>Also while the stream runs. The first value of an item, or the status in its place, comes with the next
    /// batch.</summary>
    /// <param name="items">At most <see cref="PublishLimits.MaxMonitoredItemsPerCall"/>.</param>
    /// <param name="results">One an item: its id, or why it cannot be watched (Bad_NodeIdUnknown, Bad_UserAccessDenied,
    /// Bad_TooManyMonitoredItems …).</param>
    /// <returns>Errors: Bad_NothingToDo, Bad_TooManyOperations; Bad_SubscriptionIdInvalid when the stream is closed.
    /// </returns>
    public StatusCode Add(ReadOnlySpan<StreamItem> items, out MonitoredItemCreateResult[] results)
    {
        var requests = new MonitoredItemCreateRequest[items.Length];
        for (var i = 0; i < items.Length; i++)
            requests[i] = items[i].ToCreateRequest();
        var response = Engine.MonitoredItemService.Create(this, new CreateMonitoredItemsRequest
        {
            SubscriptionId = Subscription.Id,
            TimestampsToReturn = TimestampsToReturn.Both,
            ItemsToCreate = requests,
        });
        results = response.Results ?? [];
        return response.ResponseHeader.ServiceResult;
    }

    /// <summary>Other sampling, filter, queue or handle; node, attribute and range stay. Errors: as the service's, and
    /// Bad_MonitoredItemIdInvalid.</summary>
    public StatusCode Modify(uint itemId, in StreamItem item, out MonitoredItemModifyResult result)
    {
        var status = Modify([itemId], [item], out var results);
        result = results is [var only] ? only : new MonitoredItemModifyResult();
        return status.IsBad ? status : result.StatusCode;
    }

    /// <summary>The same for many. Errors: as <see cref="Add"/>; a result is Bad_MonitoredItemIdInvalid.</summary>
    /// <param name="itemIds">At most <see cref="MaxItemsPerCall"/>.</param>
    /// <param name="items">One an id.</param>
    /// <param name="results">One an id.</param>
    public StatusCode Modify(
        ReadOnlySpan<uint> itemIds, ReadOnlySpan<StreamItem> items, out MonitoredItemModifyResult[] results)
    {
        var requests = new MonitoredItemModifyRequest[itemIds.Length];
        for (var i = 0; i < requests.Length; i++)
            requests[i] = new MonitoredItemModifyRequest
            {
                MonitoredItemId = itemIds[i],
                RequestedParameters = items[i].ToParameters(),
            };
        var response = Engine.ItemChangeService.Modify(this, new ModifyMonitoredItemsRequest
        {
            SubscriptionId = Subscription.Id,
            TimestampsToReturn = TimestampsToReturn.Both,
            ItemsToModify = requests,
        });
        results = response.Results ?? [];
        return response.ResponseHeader.ServiceResult;
    }

    /// <summary>The queued notifications of an item go with it. Errors: as <see cref="Add"/>; a result is
    /// Bad_MonitoredItemIdInvalid.</summary>
    public StatusCode Remove(uint[] itemIds, out StatusCode[] results)
    {
        var response = Engine.MonitoredItemService.Delete(this, new DeleteMonitoredItemsRequest
        {
            SubscriptionId = Subscription.Id,
            MonitoredItemIds = itemIds,
        });
        results = response.Results ?? [];
        return response.ResponseHeader.ServiceResult;
    }

    /// <summary>The interval starts now, with a batch of the present values: they do not wait for its end.
    /// </summary>
    public void Hurry()
    {
        using (Shard.Enter())
        {
            if (IsClosed)
                return;
            Subscription.BeDueAt(Engine.Clock.Now);
            Shard.ScheduleUnderLock(Subscription);
        }
    }

    /// <summary>Changes are handed over at another pace from now on; revised like a publishing interval. An item that
    /// is sampled at the stream's interval keeps its pace until it is modified. Errors: Bad_SubscriptionIdInvalid when
    /// the stream is closed.</summary>
    public StatusCode ChangeInterval(double intervalMs)
    {
        var times = SubscriptionTimes.Revise(intervalMs, 0, 0, Engine.Limits);
        using (Shard.Enter())
        {
            if (IsClosed)
                return StatusCodes.BadSubscriptionIdInvalid;
            Subscription.Counts.Modified++;
            Subscription.ResetTimes(times, Engine.Clock.Now);
            Shard.ScheduleUnderLock(Subscription);
        }

        return StatusCode.Good;
    }

    /// <summary>Every item brings its last value once more, except where a newer one waits.</summary>
    public void Resend()
    {
        using (Shard.Enter())
        {
            if (IsClosed)
                return;
            var atOnce = ItemVisits.ItemsAtOnce;
            Shard.Visits.BeginUnderLock(Subscription, ItemVisitKinds.Resend, ref atOnce);
        }
    }

    /// <summary>Every item for events brings what is retained, between the start and the end of a refresh. Errors:
    /// Bad_RefreshInProgress; Bad_NothingToDo where it has no such item; Bad_ResourceUnavailable where too many are
    /// under way; Bad_SubscriptionIdInvalid when the stream is closed. Source: Part 9 §5.5.7.</summary>
    public StatusCode RefreshConditions() => Engine.RefreshService.Refresh(this, Subscription.Id, null);

    /// <summary>Whether its user may still have all events that it has brought: those of sources with access rules are
    /// looked at again.</summary>
    public bool MayKeepEvents()
    {
        using (Shard.Enter())
        {
            foreach (var item in Subscription.Items)
            {
                if (item.ExtrasOrNull?.Event is { } watch && !watch.MayKeep(Access))
                    return false;
            }
        }

        return true;
    }

    /// <summary>The consumer has proved its user again. The same user goes on, perhaps with other permissions: all
    /// items are checked against them before another value comes. Unread batches are dropped if the user may no longer
    /// read all of them, or if there are too many items to check at once; then every item brings its last value again.
    /// Another user must not inherit the stream: it is closed. Errors: Bad_SessionClosed,
    /// Bad_IdentityChangeNotSupported.</summary>
    public StatusCode ChangeUser(IItemAccess access, SessionOwner owner)
    {
        using (Shard.Enter())
        {
            if (IsClosed)
                return StatusCodes.BadSessionClosed;
            if (owner.IsAnonymous == Owner.IsAnonymous &&
                string.Equals(owner.UserKey, Owner.UserKey, StringComparison.Ordinal))
            {
                ChangeOwnerUnderLock(access, owner);
                if (PendingVisits > 0 && DropUnreadUnderLock())
                    Resend();
                return StatusCode.Good;
            }
        }

        Close(StatusCodes.BadIdentityChangeNotSupported);
        return StatusCodes.BadIdentityChangeNotSupported;
    }

    /// <summary>Unread batches are gone. The first reason stays.</summary>
    public void Close(StatusCode reason)
    {
        using (Shard.Enter())
        {
            _reason ??= Status.IsBad ? Status : reason;
            if (!IsClosed)
            {
                lock (Gate)
                    MarkClosedUnderGate();
                if (Subscriptions.Count > 0)
                    Shard.RemoveUnderLock(Subscription);
                LeaveHoldersUnderLock();
            }
        }

        DropUnread();
        Engine.StreamService.Forget(this);
    }

    public void Dispose() => Close(StatusCode.Good);

    internal override bool DropUnreadUnderLock()
    {
        if (!DropUnread())
            return false;
        // Values come once more; events do not, so their items say that some are lost.
        if (Subscription.Items.EventCount > 0)
        {
            foreach (var item in Subscription.Items)
                item.OnEventsLost(hasConditions: true);
        }

        return true;
    }

    internal override void MarkClosedUnderGate()
    {
        base.MarkClosedUnderGate();
        _batches.Writer.TryComplete();
    }

    /// <summary>To the consumer, as far as it has room. An interval without a change brings nothing.</summary>
    internal override bool ServeUnderLock(long now)
    {
        lock (Gate)
            CountArrivalUnderGate();
        while (ReadySubscriptions > 0 && PendingVisits == 0)
        {
            if (!Subscription.HasNotifications)
                Subscription.OnSent(notifications: false);
            else if (FindRoom() is > 0 and var room)
                HandOverUnderLock(room);
            else
                break;
        }

        if (ReadySubscriptions > 0)
            Subscription.BecomeLate();
        return false;
    }

    /// <summary>The values go back, and changes that waited for the room are handed over.</summary>
    internal void GiveBack(StreamBatch batch)
    {
        var count = batch.Count;
        batch.Clear();
        Shard.Batches.Return(batch);
        bool serves;
        lock (Gate)
        {
            _held -= count;
            _lent--;
            serves = Waiting && !IsClosed;
            Waiting = false;
        }

        if (!serves)
            return;
        using (Shard.Enter())
            ServeUnderLock(Engine.Clock.Now);
    }

    /// <summary>Changes that may be handed over now; 0 or less: none.</summary>
    private long FindRoom()
    {
        lock (Gate)
        {
            var room = _lent < _maxBatches && !IsClosed ? Subscription.QueueCapacity - _held : 0;
            Waiting = room <= 0;
            return room;
        }
    }

    private void HandOverUnderLock(long room)
    {
        var batch = Shard.Batches.Rent(_lastCount);
        try
        {
            FillUnderLock(batch, room);
        }
        catch
        {
            batch.Clear();
            throw;
        }

        Subscription.OnSent(notifications: batch.Count > 0);
        if (batch.Count == 0)
        {
            Shard.Batches.Return(batch);
            return;
        }

        _lastCount = batch.Count;
        batch.Skipped = Subscription.Counts.Discarded - _toldSkipped;
        _toldSkipped += batch.Skipped;
        Shard.Counts.Notifications += batch.Count;
        Shard.Counts.StreamBatches++;
        Shard.Counts.StreamSkipped += batch.Skipped;
        lock (Gate)
        {
            _lent++;
            _held += batch.Count;
        }

        batch.Lend(this);
        var isWritten = false;
        try
        {
            // It has room: no more than this were lent, and nothing closes the stream under this lock.
            isWritten = _batches.Writer.TryWrite(batch);
        }
        finally
        {
            if (!isWritten)
                batch.Dispose();
        }
    }

    private bool DropUnread()
    {
        var isAny = false;
        while (_batches.Reader.TryRead(out var unread))
        {
            unread.Dispose();
            isAny = true;
        }

        return isAny;
    }

    private void FillUnderLock(StreamBatch batch, long room)
    {
        var sink = new StreamSink(batch);
        var most = (int)Math.Min(room, Subscription.MaxNotificationsPerPublish);
        var leading = Subscription.TakeLeadingKind();
        var left = most - Subscription.Drain(leading, most, ref sink);
        var other = leading == NotificationKind.Event ? NotificationKind.DataChange : NotificationKind.Event;
        Subscription.Drain(other, left, ref sink);
    }
}
