using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Filters;
using Gateway.Publish.Items;
using Gateway.Publish.Quotas;
using Gateway.Publish.Sessions;
using Gateway.Publish.Shards;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish.Durable;

/// <summary>Makes a subscription of what its file says: it belongs to a session that is closed, and a client takes it
/// over by TransferSubscriptions. It counts against all caps, and none of them keeps it out. The time since the last
/// save counts as lifetime. Used before there are sessions. Source: Part 4 §6.8.</summary>
/// <param name="engine">Where it goes.</param>
/// <param name="store">Of the values.</param>
/// <param name="waiting">Items whose node is not there.</param>
/// <param name="time">For the lifetime.</param>
/// <param name="rules">Digest of the access rules of now.</param>
internal sealed class Restoration(
    PublishEngine engine, ValueStore store, WaitingItems waiting, TimeProvider time, ulong rules)
{
    private const int ItemsPerSlice = 256;

    private readonly Dictionary<Guid, RestoredSession> _sessions = [];

    /// <summary>The subscription's values and events have come by other access rules than there are now, or perhaps
    /// have: the file of an earlier version does not say it.</summary>
    private bool _areRulesOthers;

    /// <summary>Of all subscriptions until now: items for events that there was no room for their filter, or whose
    /// filter cannot be read.</summary>
    public int LostItems { get; private set; }

    /// <summary>Null: its lifetime is over.</summary>
    /// <param name="saved">Of a file.</param>
    /// <param name="now">On the wall clock.</param>
    public DurableState? TryRestore(SavedSubscription saved, DateTime now)
    {
        var left = LifetimeLeft(saved, now);
        if (left == 0)
            return null;
        var session = SessionOf(saved);
        var owner = engine.OpenSession(NoOutput.Instance, NoOutput.Instance, session?.Owner ?? saved.Owner);
        var subscription = new Subscription(saved.Id, owner, engine.SubscriptionService.NewRetransmissionQueue())
        {
            MaxNotificationsPerPublish = saved.MaxNotificationsPerPublish,
            Priority = saved.Priority,
            LastItemId = saved.LastItemId,
            NextSequenceNumber = NextSequenceNumber(saved),
        };
        var state = subscription.Durable = engine.Durable.Restore(subscription);
        state.LifetimeHours = saved.LifetimeHours;
        state.HoldNumbers();
        subscription.SetPublishingEnabled(saved.PublishingEnabled);
        subscription.ResetTimes(saved.Times, engine.Clock.Now);
        subscription.Restore(left, saved.MessageSent);
        _areRulesOthers = saved.Rules != rules;
        lock (owner.Gate)
        {
            owner.MarkClosedUnderGate();
            owner.IsLeft = session is not null;
            owner.Subscriptions.Add(subscription);
        }

        var lost = LostItems;
        Fill(owner.Shard, subscription, saved);
        // Messages hold events of items that nobody can ask any more: deleted ones, and those that are lost (R36).
        if (!_areRulesOthers && LostItems == lost)
            KeepMessages(owner, subscription, saved);
        lock (owner.Shard.Lock)
        {
            engine.Quotas.Restore(
                owner, new Amount(1, subscription.Items.Count, subscription.QueueCapacity));
            engine.Subscriptions.Add(subscription);
            owner.Shard.ScheduleUnderLock(subscription);
        }

        return state;
    }

    /// <summary>All subscriptions are there: clients may come for their sessions.</summary>
    public void Complete()
    {
        foreach (var session in _sessions.Values)
            engine.RestoredSessions.Add(session);
    }

    /// <summary>Null: it has ended.</summary>
    private RestoredSession? SessionOf(SavedSubscription saved)
    {
        if (saved.Memo is null)
            return null;
        if (!_sessions.TryGetValue(saved.SessionId, out var session))
            _sessions.Add(saved.SessionId, session = new RestoredSession(saved.SessionId, time));
        session.Add(saved);
        return session;
    }

    private void KeepMessages(Consumer owner, Subscription subscription, SavedSubscription saved)
    {
        lock (owner.Gate)
        {
            foreach (var (sequenceNumber, message) in saved.Messages)
                subscription.Retransmission.Add(sequenceNumber, message.Span);
            engine.Counters.AddRetransmissionBytes(subscription.Retransmission.Bytes);
        }
    }

    /// <summary>In publishing intervals; 0: it is over. A wall clock that was set back takes nothing.</summary>
    private static uint LifetimeLeft(SavedSubscription saved, DateTime now)
    {
        var passed = Math.Max(0, (now - saved.Time).TotalMilliseconds) / saved.Times.PublishingIntervalMs;
        return passed >= saved.LifetimeLeft ? 0 : saved.LifetimeLeft - (uint)passed;
    }

    /// <summary>Behind a kill the client may have seen numbers that no save has, up to those that the last one says. It
    /// must not take a new message for one of those: it sees a gap, and the values come again.</summary>
    private uint NextSequenceNumber(SavedSubscription saved)
    {
        if (saved.IsClean)
            return saved.NextSequenceNumber;
        // A file of a version that did not say it.
        var ahead = saved.NumbersAhead > 0
            ? saved.NumbersAhead
            : DurableState.NumbersAheadOf(engine.Limits, saved.Times.PublishingIntervalMs);
        // 1 comes behind the highest.
        return (uint)((saved.NextSequenceNumber - 1UL + ahead) % uint.MaxValue) + 1;
    }

    private void Fill(Shard shard, Subscription subscription, SavedSubscription saved)
    {
        foreach (var slice in saved.Items.Values.Where(static item => item.QueueSize > 0).Chunk(ItemsPerSlice))
        {
            lock (shard.Lock)
            {
                foreach (var item in slice)
                    AddUnderLock(shard, subscription, item);
            }
        }

        lock (shard.Lock)
        {
            foreach (var item in saved.Items.Values)
                LinkUnderLock(subscription, item);
        }
    }

    private void AddUnderLock(Shard shard, Subscription subscription, SavedItem saved)
    {
        var filter = saved.EventFilter.Length == 0
            ? null
            : SavedEvents.TakeFilter(engine, saved.EventFilter, subscription.Consumer.Owner.HolderKey);
        // No room for its filter: as for a client that would make the item now.
        if (saved.Attribute == AttributeId.EventNotifier && filter is null)
        {
            LostItems++;
            return;
        }

        var item = new MonitoredItem(subscription, saved.Id, saved.Attribute)
        {
            Node = waiting.Find(saved.NamespaceUri, saved.Node),
            ClientHandle = saved.ClientHandle,
            Timestamps = saved.Timestamps,
            Mode = saved.Mode,
            DiscardOldest = saved.DiscardOldest,
            Queue = new ItemQueue(saved.QueueSize),
        };
        var durable = item.Extras.Durable = new DurableItem(item, subscription.Durable!)
        {
            MissingNode = (saved.NamespaceUri, saved.Node),
        };
        item.Extras.Range = saved.Range;
        item.SetFilter(saved.Condition, saved.PercentDeadband);
        item.SetSampling(
            TimeSpan.FromTicks(saved.SamplingTicks).TotalMilliseconds, subscription.Due - subscription.IntervalTicks,
            shard.Values);
        foreach (var (bits, value) in saved.Entries)
            item.Queue.Enqueue(value.Make(store), saved.DiscardOldest, bits);
        if (filter is not null)
            RestoreEvents(item, saved, filter);
        durable.OnRestored(saved.First);
        item.Last = saved.Last?.Make(store);
        subscription.Items.Add(item.Id, item);
        subscription.QueueCapacity += saved.QueueSize;
        subscription.Durable!.AddItems(1);
        item.OnModeChanged();
        if (item.Node.IsNone)
            waiting.Add(item);
        else if (item.Mode != MonitoringMode.Disabled)
            engine.ItemStart.ResumeUnderLock(shard, item);
    }

    private void RestoreEvents(MonitoredItem item, SavedItem saved, CompiledFilter filter)
    {
        var watch = item.Extras.Event = new EventItem(engine.Events, filter);
        watch.Restore(
            saved.Events.Notes | (_areRulesOthers ? EventItemNotes.HadOtherRules : EventItemNotes.None),
            new RestoredSources(saved.Events.Sources, (uri, id) => waiting.Find(uri, id)));
    }

    private static void LinkUnderLock(Subscription subscription, SavedItem saved)
    {
        if (saved.Triggered.Length == 0 || subscription.Items.GetValueOrDefault(saved.Id) is not { } triggering)
            return;
        foreach (var id in saved.Triggered)
        {
            if (subscription.Items.GetValueOrDefault(id) is not { } triggered)
                continue;
            (triggering.Extras.Triggered ??= []).Add(triggered);
            (triggered.Extras.TriggeredBy ??= []).Add(triggering);
        }
    }
}
