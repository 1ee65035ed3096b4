namespace Gateway.Publish.Quotas;

/// <summary>Holders of one kind (users, certificates or addresses) that have sessions or subscriptions; bounded by
/// those, as the last one takes its holder along. Thread-safe; its lock is a leaf.</summary>
internal sealed class HolderTable(UsageLimits limits)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, Usage> _holders = new(StringComparer.Ordinal);

    public int Count
    {
        get
        {
            lock (_lock)
                return _holders.Count;
        }
    }

    /// <summary>Of each holder.</summary>
    public UsageLimits Limits => limits;

    public Usage Enter(string key)
    {
        lock (_lock)
        {
            if (!_holders.TryGetValue(key, out var holder))
                _holders.Add(key, holder = new Usage(limits, key));
            holder.Sessions++;
            return holder;
        }
    }

    public void Leave(Usage holder)
    {
        lock (_lock)
        {
            if (--holder.Sessions == 0)
                _holders.Remove(holder.Key);
        }
    }
}
