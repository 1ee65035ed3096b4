namespace Gateway.Server.Sessions;

/// <summary>
/// Sessions never activated, by who holds them. The victim at the session cap (R07) is the oldest of whoever holds
/// most, so that one client that creates and never activates pushes out its own and not the fresh ones of others;
/// where everybody holds one, the oldest of all. O(log n) in the holders of several. Its lock is a leaf.
/// </summary>
internal sealed class UnactivatedSessions
{
    private readonly Lock _lock = new();
    private readonly LinkedList<UnactivatedEntry> _all = new();
    private readonly Dictionary<string, UnactivatedHolder> _holders = new(StringComparer.Ordinal);

    /// <summary>Those that hold two or more.</summary>
    private readonly SortedSet<UnactivatedHolder> _several = new(UnactivatedHolder.ByVictim);
    private long _lastOrder;

    public int Count
    {
        get
        {
            lock (_lock)
                return _all.Count;
        }
    }

    public void Add(Session session)
    {
        var key = session.ClientThumbprint.Length > 0 ? session.ClientThumbprint : session.Address;
        lock (_lock)
        {
            if (!_holders.TryGetValue(key, out var holder))
                _holders[key] = holder = new UnactivatedHolder(key);
            _several.Remove(holder);
            var entry = new UnactivatedEntry(session, holder, ++_lastOrder);
            entry.InAll = _all.AddLast(entry);
            entry.InOwn = holder.Own.AddLast(entry);
            RankUnderLock(holder);
            session.Unactivated = entry;
        }
    }

    public void Remove(Session session)
    {
        lock (_lock)
            RemoveUnderLock(session);
    }

    /// <summary>Takes it out; null where every session is active.</summary>
    public Session? TakeVictim()
    {
        lock (_lock)
        {
            var list = _several.Count > 0 ? _several.Min!.Own : _all;
            var victim = list.First?.Value.Session;
            if (victim is not null)
                RemoveUnderLock(victim);
            return victim;
        }
    }

    private void RemoveUnderLock(Session session)
    {
        if (session.Unactivated is not { } entry)
            return;
        session.Unactivated = null;
        var holder = entry.Holder;
        _several.Remove(holder);
        _all.Remove(entry.InAll!);
        holder.Own.Remove(entry.InOwn!);
        if (holder.Own.Count == 0)
            _holders.Remove(holder.Key);
        else
            RankUnderLock(holder);
    }

    private void RankUnderLock(UnactivatedHolder holder)
    {
        if (holder.Own.Count > 1)
            _several.Add(holder);
    }
}
