namespace Gateway.Publish.Quotas;

/// <summary>
/// The caps on subscriptions, items and queue entries of a session, a user and the server (R09): what is taken is taken
/// from all three or from none. Subscriptions that outlive their session go on counting. Thread-safe.
/// </summary>
internal sealed class QuotaBook(PublishLimits limits, PublishCounters counters)
{
    private readonly UsageLimits _ofSession = UsageLimits.OfSession(limits);

    public UserTable Users { get; } = new(UsageLimits.OfUser(limits));

    public Usage NewSession() => new(_ofSession);

    public bool TryTakeSubscription(PublishSession session)
    {
        if (session.Usage.TryTakeSubscription())
        {
            if (session.User.TryTakeSubscription())
            {
                if (counters.Server.TryTakeSubscription())
                    return true;
                session.User.Add(-1, 0, 0);
            }

            session.Usage.Add(-1, 0, 0);
        }

        counters.OnSubscriptionRefused();
        return false;
    }

    /// <summary>Room for an item and its queue; the queue shrinks to one entry where a sum is used up.</summary>
    public bool TryTakeItem(PublishSession session, ref int queueSize)
    {
        if (!session.Usage.TryTakeItem())
            return false;
        if (session.User.TryTakeItem())
        {
            if (counters.Server.TryTakeItem())
            {
                ResizeQueue(session, 0, ref queueSize);
                return true;
            }

            session.User.Add(0, -1, 0);
        }

        session.Usage.Add(0, -1, 0);
        return false;
    }

    /// <summary>Room for a queue in place of another; it shrinks to one entry where a sum is used up.</summary>
    public void ResizeQueue(PublishSession session, int oldSize, ref int queueSize)
    {
        var more = queueSize - oldSize;
        if (more > 0 && queueSize > 1)
        {
            if (TryTakeQueue(session, more))
                return;
            counters.OnQueueRevised();
            queueSize = 1;
            more = 1 - oldSize;
        }

        AddToAll(session, 0, 0, more);
    }

    public void ReleaseItem(PublishSession session, int queueSize) => AddToAll(session, 0, -1, -queueSize);

    public void ReleaseSubscription(PublishSession session) => AddToAll(session, -1, 0, 0);

    /// <summary>A subscription goes from one session to another, perhaps of another user. False: one of the new caps
    /// does not allow it, and nothing has changed.</summary>
    public static bool TryMove(PublishSession from, PublishSession to, int items, long queuedValues)
    {
        if (!to.Usage.TryTake(items, queuedValues))
            return false;
        if (!ReferenceEquals(from.User, to.User))
        {
            if (!to.User.TryTake(items, queuedValues))
            {
                to.Usage.Add(-1, -items, -queuedValues);
                return false;
            }

            from.User.Add(-1, -items, -queuedValues);
        }

        from.Usage.Add(-1, -items, -queuedValues);
        return true;
    }

    /// <summary>What a session has counts for another user from now on, whatever his caps say.</summary>
    public static void ChangeUser(PublishSession session, Usage user)
    {
        var (subscriptions, items, queued) =
            (session.Usage.Subscriptions, session.Usage.Items, session.Usage.QueuedValues);
        user.Add(subscriptions, items, queued);
        session.User.Add(-subscriptions, -items, -queued);
    }

    private bool TryTakeQueue(PublishSession session, long entries)
    {
        if (!session.Usage.TryTakeQueue(entries))
            return false;
        if (session.User.TryTakeQueue(entries))
        {
            if (counters.Server.TryTakeQueue(entries))
                return true;
            session.User.Add(0, 0, -entries);
        }

        session.Usage.Add(0, 0, -entries);
        return false;
    }

    private void AddToAll(PublishSession session, int subscriptions, int items, long queuedValues)
    {
        session.Usage.Add(subscriptions, items, queuedValues);
        session.User.Add(subscriptions, items, queuedValues);
        counters.Server.Add(subscriptions, items, queuedValues);
    }
}
