using Gateway.AddressSpace.Values;
using Gateway.Events.Delivery;
using Gateway.Events.Filters;
using Gateway.Publish.Items;

namespace Gateway.Publish.Shards;

/// <summary>The way of events from the inbox to the items of their groups, in slices of bounded work as
/// <see cref="ChangeRouter"/>. A group that has lost events because the shard lagged tells each of its items. Owner:
/// the shard, under its lock.</summary>
internal sealed class EventRouter(EventHub hub, EventInbox inbox, ItemValues values)
{
    /// <summary>Items touched before the lock is given up for a moment.</summary>
    private const int SliceItems = 1024;

    /// <summary>An item that is told of a loss makes and encodes a notice of its own.</summary>
    private const int LossWork = 16;

    /// <summary>More than the inbox can hold.</summary>
    private const int MaxSlices = 1024;

    private readonly Dictionary<EventGroup, EventMembers> _groups = [];
    private readonly Queue<(MonitoredItem Item, RefreshFeed Feed, int Turn)> _feeding = new();
    private readonly Queue<(MonitoredItem Item, RefreshFeed Feed, int Turn)> _resting = new();
    private long _restsUntil;
    private Action<MonitoredItem>? _resume;
    private EventMembers? _members;
    private PostedEvent _event;

    /// <summary>Not an event is walked to the members, but that some were lost.</summary>
    private bool _isLoss;
    private int _walked;

    public EventInbox Inbox => inbox;

    public void AddUnderLock(MonitoredItem item)
    {
        var watch = item.Extras.Event!;
        watch.IsStray &= watch.Shown.Count > 0;
        var group = watch.Group = hub.Join(watch.Filter, item.Node, inbox, watch.SeesAudit, watch.IsStray);
        if (!_groups.TryGetValue(group, out var members))
            _groups.Add(group, members = new EventMembers());
        members.Add(item);
        if (watch.Feed is not null)
            FeedUnderLock(item);
    }

    /// <summary>The item has a refresh that is under way: it gets its slices from now on.</summary>
    public void FeedUnderLock(MonitoredItem item)
    {
        var feed = item.Extras.Event!.Feed!;
        feed.Resume = _resume ??= ResumeUnderLock;
        _feeding.Enqueue((item, feed, ++feed.Turn));
    }

    /// <summary>Refreshes that get a slice in turn.</summary>
    internal int FeedsUnderLock => _feeding.Count(one => IsDue(one.Item, one.Feed, one.Turn));

    /// <summary>A refresh can go on.</summary>
    public bool HasFeeds => _feeding.Count > 0;

    /// <summary>Refreshes that rest may go on, a few times a second: each turn would keep the shard busy with finding
    /// that they rest still, until the second in which filters have new steps.</summary>
    public void EndRestUnderLock(long now)
    {
        if (_resting.Count == 0 || now < _restsUntil)
            return;
        _restsUntil = now + Shard.MaxWait;
        while (_resting.TryDequeue(out var next))
            _feeding.Enqueue(next);
    }

    /// <summary>One slice of one refresh, each in turn. False: none can go on.</summary>
    /// <param name="ready">The consumer that has more to send than its last message held.</param>
    public bool FeedUnderLock(out Consumer? ready)
    {
        ready = null;
        while (_feeding.TryDequeue(out var next))
        {
            var (item, feed, turn) = next;
            if (!IsDue(item, feed, turn))
                continue;
            var hasBrought = feed.Fill(item, values);
            if (feed.IsOver)
                item.Extras.Event!.EndRefresh(isCut: false);
            else if (!feed.IsParked)
                (feed.IsResting ? _resting : _feeding).Enqueue((item, feed, ++feed.Turn));
            if (hasBrought && feed.HasParked && item.Subscription.GoOn())
                ready = item.Subscription.Consumer;
            return true;
        }

        return false;
    }

    /// <summary>False: it has ended, or gone to another shard, or into the queue once more, since it was put there.
    /// </summary>
    private bool IsDue(MonitoredItem item, RefreshFeed feed, int turn) =>
        item.ExtrasOrNull?.Event is { Group: not null } watch && watch.Feed == feed &&
        feed is { IsOver: false } && feed.Turn == turn && feed.Resume == _resume;

    /// <summary>Does nothing for an item that is in no group.</summary>
    public void RemoveUnderLock(MonitoredItem item)
    {
        if (item.ExtrasOrNull?.Event is not { Group: { } group } watch)
            return;
        var members = _groups[group];
        var none = 0;
        if (ReferenceEquals(members, _members))
            members.Remove(item, ref _walked);
        else
            members.Remove(item, ref none);
        if (members.Count == 0)
            _groups.Remove(group);
        watch.Group = null;
        if (watch.Feed is { } feed)
            feed.Resume = null;
        hub.Leave(group, inbox, watch.IsStray);
    }

    /// <summary>The item's user may be another one, or have other rights: whether it gets audit events follows. An
    /// event that is on its way is checked when it comes.</summary>
    public void ReviewUnderLock(MonitoredItem item)
    {
        var watch = item.Extras.Event!;
        var seesAudit = item.Subscription.Consumer.Access.SeesAudit;
        if (watch.SeesAudit == seesAudit)
            return;
        if (watch.Group is null)
        {
            watch.SeesAudit = seesAudit;
            return;
        }

        // As below: events of others that have been raised by now still come by the old group.
        var isStray = watch.IsStray;
        var next = hub.Join(watch.Filter, item.Node, inbox, seesAudit, isStray);
        CatchUpUnderLock(item);
        RemoveUnderLock(item);
        watch.SeesAudit = seesAudit;
        AddUnderLock(item);
        hub.Leave(next, inbox, isStray);
    }

    /// <summary>Another filter for an item, which takes it over. Queued events stay as they are.</summary>
    public void ChangeFilterUnderLock(MonitoredItem item, CompiledFilter filter)
    {
        var watch = item.Extras.Event!;
        watch.EndRefresh(isCut: true);
        var old = watch.Filter;
        if (watch.Group is null)
        {
            watch.Filter = filter;
        }
        else
        {
            // Events that were raised by now passed the old filter and still come; those of later pass the new one.
            var isStray = watch.IsStray || filter != old;
            var next = hub.Join(filter, item.Node, inbox, watch.SeesAudit, isStray);
            CatchUpUnderLock(item);
            RemoveUnderLock(item);
            (watch.Filter, watch.IsStray) = (filter, isStray);
            AddUnderLock(item);
            hub.Leave(next, inbox, isStray);
        }

        hub.Release(old);
        if (watch.NeedsRefresh && item.IsReporting)
            item.Subscription.DirtyItems.Add(item);
    }

    /// <summary>Hands out what is in the inbox. False: events come faster than that.</summary>
    public bool CatchUpUnderLock()
    {
        for (var slice = 0; slice < MaxSlices; slice++)
        {
            if (!StepUnderLock())
                return true;
        }

        return false;
    }

    /// <summary>The item, which is about to have another group, gets what waits for it by now, and passes over that
    /// when it comes. Other items get theirs in the shard's turn: one client's request must not bring a burst to all.
    /// </summary>
    private void CatchUpUnderLock(MonitoredItem item)
    {
        var watch = item.Extras.Event!;
        if (_groups[watch.Group!] == _members && watch.Place >= _walked)
            Deliver(item);
        var waiting = hub.Read(inbox, watch.Group!, watch.SeenSequence, out var last, out var lost);
        foreach (var next in waiting)
        {
            Deliver(item, next);
            next.Fields.Release();
        }

        watch.SeenSequence = Math.Max(watch.SeenSequence, last);
        if (lost is { } hasConditions)
            item.OnEventsLost(hasConditions);
    }

    /// <summary>The item is gone. Does nothing for one without events.</summary>
    public void ReleaseUnderLock(MonitoredItem item)
    {
        if (item.ExtrasOrNull?.Event is not { } watch)
            return;
        watch.EndRefresh(isCut: false);
        hub.Release(watch.Filter);
    }

    /// <summary>The item is about to come to this shard: from now on the inbox has its events.</summary>
    public EventGroup ExpectUnderLock(MonitoredItem item)
    {
        var watch = item.Extras.Event!;
        return hub.Join(watch.Filter, item.Node, inbox, watch.SeesAudit);
    }

    /// <summary>It has come.</summary>
    public void EndExpectUnderLock(EventGroup group) => hub.Leave(group, inbox);

    /// <summary>One slice; false when nothing is left.</summary>
    public bool StepUnderLock()
    {
        for (var work = SliceItems; work > 0;)
        {
            if (_members is not null)
            {
                work -= WalkUnderLock(work);
            }
            else if (inbox.TryTake(out var next))
            {
                work--;
                BeginUnderLock(next);
            }
            else if (inbox.TryTakeLossy(out var lossy, out var hasConditions))
            {
                work--;
                BeginLossUnderLock(lossy, hasConditions);
            }
            else
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Leaves the event that is half-way through; does nothing when there is none.</summary>
    public void SkipUnderLock()
    {
        if (_members is null)
            return;
        if (!_isLoss)
            _event.Fields.Release();
        (_members, _event, _walked, _isLoss) = (null, default, 0, false);
    }

    private void ResumeUnderLock(MonitoredItem item)
    {
        FeedUnderLock(item);
        inbox.Wake();
    }

    private void BeginLossUnderLock(EventGroup group, bool hasConditions)
    {
        if (_groups.TryGetValue(group, out var members))
            (_members, _event, _isLoss) = (members, new PostedEvent { IsCondition = hasConditions }, true);
    }

    private void BeginUnderLock(in PostedEvent next)
    {
        if (_groups.TryGetValue(next.Group, out var members))
            (_members, _event, _walked) = (members, next, 0);
        else
            next.Fields.Release();
    }

    private int WalkUnderLock(int work)
    {
        var members = _members!;
        var cost = _isLoss ? LossWork : 1;
        var end = (int)Math.Min(members.Count, _walked + (((long)work + cost - 1) / cost));
        var done = (end - _walked) * cost;
        while (_walked < end)
            Deliver(members[_walked++]);
        if (_walked >= members.Count)
            SkipUnderLock();

        return done;
    }

    private void Deliver(MonitoredItem item)
    {
        if (_isLoss)
            item.OnEventsLost(_event.IsCondition);
        else
            Deliver(item, _event);
    }

    private void Deliver(MonitoredItem item, in PostedEvent next)
    {
        var watch = item.Extras.Event!;
        if (next.Sequence <= watch.SeenSequence)
            return;
        watch.SeenSequence = next.Sequence;
        var bits = next.IsCondition ? EventItem.Condition : NotificationBits.None;
        var isGuarded = next.IsAudit || !next.Source.IsNone;
        var isDenied = isGuarded && IsDenied(item.Subscription.Consumer.Access, next);
        var isShown = (isDenied && next.Mark == ShownMark.Shows) || watch.Shown.Note(next.Place, next.Mark);
        if (watch.IsStray && watch.Shown.Count == 0)
        {
            watch.IsStray = false;
            hub.EndStray(watch.Filter);
        }

        if (isDenied || !isShown)
            return;
        if (isGuarded)
        {
            watch.NoteGuarded(next.Source, next.IsAudit);
            bits |= EventItem.Guarded;
        }

        next.Fields.AddReference();
        item.OnEvent(next.Fields, bits, values);
    }

    private static bool IsDenied(IItemAccess access, in PostedEvent next) => (next.IsAudit && !access.SeesAudit) ||
        (!next.Source.IsNone && access.CheckEvents(next.Source).IsBad);
}
