namespace Gateway.Admission.Caps;

/// <summary>
/// Entries that may be taken from their holder when a cap is reached: sessions never activated (R07), sessions whose
/// channel is gone, subscriptions whose session is gone (R46). The victim is the oldest entry of the holder that has
/// most of them, so that a client that hoards pushes out its own and not those of others; where each holder has one,
/// the oldest of all. O(log n) in the holders. Threads: any; its lock is a leaf.
/// </summary>
public sealed class VictimList<T>
    where T : class
{
    private readonly Lock _lock = new();
    private readonly Dictionary<T, VictimEntry<T>> _entries = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<string, VictimHolder<T>> _holders = new(StringComparer.Ordinal);
    private readonly SortedSet<VictimHolder<T>> _ranking = new(VictimHolder<T>.ByVictim);
    private long _lastOrder;

    public int Count
    {
        get
        {
            lock (_lock)
                return _entries.Count;
        }
    }

    /// <summary>Does nothing for an entry that it holds already.</summary>
    /// <param name="value">Told apart by reference.</param>
    /// <param name="holder">Its key.</param>
    /// <param name="weight">The amount that its end gives back.</param>
    public void Add(T value, string holder, long weight = 1)
    {
        lock (_lock)
        {
            if (_entries.ContainsKey(value))
                return;
            if (_holders.TryGetValue(holder, out var owner))
                _ranking.Remove(owner);
            else
                _holders.Add(holder, owner = new VictimHolder<T>(holder));
            var entry = new VictimEntry<T>(value, owner, ++_lastOrder, weight);
            _entries.Add(value, entry);
            owner.Add(entry);
            _ranking.Add(owner);
        }
    }

    public void Remove(T value)
    {
        lock (_lock)
        {
            if (_entries.TryGetValue(value, out var entry))
                RemoveUnderLock(entry);
        }
    }

    /// <summary>The weight of the entries of the holder that has most; 0: there are none.</summary>
    public long MostWeight
    {
        get
        {
            lock (_lock)
                return _ranking.Min?.Weight ?? 0;
        }
    }

    /// <summary>The weight of the holder's entries.</summary>
    public long WeightOf(string holder)
    {
        lock (_lock)
            return _holders.GetValueOrDefault(holder)?.Weight ?? 0;
    }

    /// <summary>Takes out the oldest entry of the holder that has most; null where none has more than
    /// <paramref name="above"/>.</summary>
    public T? TakeOfMost(long above = 0)
    {
        lock (_lock)
            return _ranking.Min is { } most && most.Weight > above ? TakeUnderLock(most) : null;
    }

    /// <summary>Takes out the holder's own oldest entry.</summary>
    public T? TakeOwn(string holder)
    {
        lock (_lock)
            return _holders.TryGetValue(holder, out var owner) ? TakeUnderLock(owner) : null;
    }

    private T TakeUnderLock(VictimHolder<T> holder)
    {
        var entry = holder.Oldest!;
        RemoveUnderLock(entry);
        return entry.Value;
    }

    private void RemoveUnderLock(VictimEntry<T> entry)
    {
        var holder = entry.Holder;
        _ranking.Remove(holder);
        _entries.Remove(entry.Value);
        holder.Remove(entry);
        if (holder.Oldest is null)
            _holders.Remove(holder.Key);
        else
            _ranking.Add(holder);
    }
}
