using Gateway.Publish.Quotas;
using Gateway.Publish.Sessions;
using Gateway.Publish.Shards;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish;

/// <summary>
/// The owner of subscriptions and the way of their notifications, as the engine sees it: a session of UA Binary
/// (<see cref="PublishSession"/>) or a stream inside the process (<see cref="Streams.ValueStream"/>). It belongs to one
/// shard for life. Threads: all public members from any; none blocks for longer than a slice of its shard. Locks: the
/// shard's lock guards the subscriptions and their items; <see cref="Gate"/> guards the state shared with the side that
/// consumes, and is taken inside the shard's lock or alone. The list of subscriptions changes under both and is read
/// under either.
/// </summary>
public abstract class Consumer
{
    private long _arrivals;
    private bool _hasLeftHolders;

    private protected Consumer(PublishEngine engine, Shard shard, IItemAccess access, SessionOwner owner)
    {
        Engine = engine;
        Shard = shard;
        Access = access;
        Owner = owner;
        Holders = new SessionHolders(engine.Quotas, owner);
    }

    public int SubscriptionCount
    {
        get
        {
            lock (Gate)
                return Subscriptions.Count;
        }
    }

    public int MonitoredItemCount => Holders.Session.Items;

    internal PublishEngine Engine { get; }

    internal Shard Shard { get; }

    internal Lock Gate { get; } = new();

    /// <summary>A sweep flushes it after all that it sent.</summary>
    internal INotificationOutput Output { get; private protected set; } = NoOutput.Instance;

    internal IItemAccess Access { get; private protected set; }

    internal SessionOwner Owner { get; private set; }

    /// <summary>The holders that the consumer's usage counts for.</summary>
    internal SessionHolders Holders { get; }

    internal List<Subscription> Subscriptions { get; } = [];

    /// <summary>Removed ones whose items are still counted, and ones on their way from here or to here. Under the
    /// shard's lock.</summary>
    internal int LeavingSubscriptions { get; set; }

    /// <summary>Something is ready and there was no room for it: it is handed over on the thread that makes room. Under
    /// the gate.</summary>
    internal bool Waiting { get; set; }

    /// <summary>Signs of life: how its subscriptions notice that the client lives.</summary>
    internal long Arrivals => Volatile.Read(ref _arrivals);

    /// <summary>Subscriptions that want to hand something over now. Under the shard's lock.</summary>
    internal int ReadySubscriptions { get; set; }

    /// <summary>Its subscriptions whose items are being visited: until none is, it is handed no values. Under the
    /// shard's lock.</summary>
    internal int PendingVisits { get; set; }

    /// <summary>The subscriptions of the present sweep. Under the shard's lock.</summary>
    internal Subscription? FirstDue { get; set; }

    /// <summary>Something besides its subscriptions is due in the present sweep. Under the shard's lock.</summary>
    internal bool IsDeadlineDue { get; set; }

    /// <summary>Its next message is long, and there is room for it: the shard's loop has it hand over in its
    /// turn, behind what is due. Under the shard's lock.</summary>
    internal bool IsInLine { get; set; }

    /// <summary>Nothing is asked for any more; remaining subscriptions end with their lifetime.</summary>
    internal bool IsClosed { get; private set; }

    /// <summary>Its subscriptions are the standard's: others find them by id, in diagnostics and for a transfer.
    /// </summary>
    internal abstract bool HasPublicSubscriptions { get; }

    /// <summary>Hands over the ready notifications, as far as there is room. True: its output has to be
    /// flushed.</summary>
    /// <param name="now">Engine ticks.</param>
    internal abstract bool ServeUnderLock(long now);

    /// <summary>The same in its turn of the line: the first message may be long.</summary>
    internal virtual bool ServeInTurnUnderLock(long now) => ServeUnderLock(now);

    /// <summary>A subscription has ended without being asked to, or has gone elsewhere.</summary>
    internal virtual void AddStatusChange(in StatusChange change)
    {
    }

    /// <summary>Drops notifications that were handed over and not read yet: their user may no longer read all of them.
    /// False: there was nothing. Under the shard's lock.</summary>
    internal virtual bool DropUnreadUnderLock() => false;

    internal virtual void MarkClosedUnderGate() => IsClosed = true;

    internal void CountArrivalUnderGate() => Volatile.Write(ref _arrivals, _arrivals + 1);

    /// <summary>Under the shard's lock or the gate; null when it is not this consumer's.</summary>
    internal Subscription? Find(uint subscriptionId)
    {
        foreach (var subscription in Subscriptions)
        {
            if (subscription.Id == subscriptionId)
                return subscription;
        }

        return null;
    }

    /// <summary>Once nothing counts for its holders any more: it is closed and its last subscription gone.</summary>
    internal void LeaveHoldersUnderLock()
    {
        if (!IsClosed || Subscriptions.Count > 0 || LeavingSubscriptions > 0 || _hasLeftHolders)
            return;
        _hasLeftHolders = true;
        Holders.Leave();
    }

    /// <summary>Takes a subscription that leaves out of the present sweep.</summary>
    internal void ForgetDueUnderLock(Subscription gone)
    {
        if (ReferenceEquals(FirstDue, gone))
            FirstDue = gone.NextDue;
        for (var due = FirstDue; due is not null; due = due.NextDue)
        {
            if (ReferenceEquals(due.NextDue, gone))
                due.NextDue = gone.NextDue;
        }

        gone.NextDue = null;
    }

    /// <summary>Another user, or the same with other rights: its items are held against them before a value leaves.
    /// </summary>
    private protected void ChangeOwnerUnderLock(IItemAccess access, SessionOwner owner)
    {
        var kinds = string.Equals(owner.UserKey, Owner.UserKey, StringComparison.Ordinal)
            ? ItemVisitKinds.Review
            : ItemVisitKinds.Review | ItemVisitKinds.OtherUser;
        Access = access;
        Owner = owner;
        var atOnce = ItemVisits.ItemsAtOnce;
        foreach (var subscription in Subscriptions)
        {
            subscription.Durable?.OnOwnerChanged();
            Shard.Visits.BeginUnderLock(subscription, kinds, ref atOnce);
        }

        Holders.ChangeUserUnderLock(owner.UserKey);
    }
}
