namespace Gateway.Server.Sessions;

/// <summary>Sessions never activated, oldest first, as an intrusive list: adding, removing and finding the victim at
/// the session cap are O(1) (R07). Its lock is a leaf.</summary>
internal sealed class UnactivatedSessions
{
    private readonly Lock _lock = new();
    private Session? _oldest;
    private Session? _newest;

    public void Add(Session session)
    {
        lock (_lock)
        {
            session.PreviousUnactivated = _newest;
            if (_newest is null)
                _oldest = session;
            else
                _newest.NextUnactivated = session;
            _newest = session;
            session.IsListedUnactivated = true;
        }
    }

    public void Remove(Session session)
    {
        lock (_lock)
            RemoveUnderLock(session);
    }

    /// <summary>Takes the oldest out; null where every session is active.</summary>
    public Session? TakeOldest()
    {
        lock (_lock)
        {
            var victim = _oldest;
            if (victim is not null)
                RemoveUnderLock(victim);
            return victim;
        }
    }

    private void RemoveUnderLock(Session session)
    {
        if (!session.IsListedUnactivated)
            return;
        var (previous, next) = (session.PreviousUnactivated, session.NextUnactivated);
        if (previous is null)
            _oldest = next;
        else
            previous.NextUnactivated = next;
        if (next is null)
            _newest = previous;
        else
            next.PreviousUnactivated = previous;
        session.PreviousUnactivated = null;
        session.NextUnactivated = null;
        session.IsListedUnactivated = false;
    }
}
