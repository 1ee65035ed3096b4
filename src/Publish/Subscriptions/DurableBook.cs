using System.Collections.Concurrent;
using Gateway.Admission.Caps;

namespace Gateway.Publish.Subscriptions;

/// <summary>All durable subscriptions, what they hold together and for each client, and the caps on it: a client that
/// has more than a sixth of one gets nothing of its last sixth (R46). Threads: any; its lock is a leaf.</summary>
internal sealed class DurableBook(PublishLimits limits)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<uint, DurableState> _states = [];
    private readonly Dictionary<string, DurableHolder> _holders = new(StringComparer.Ordinal);
    private readonly ConcurrentQueue<uint> _ended = new();
    private int _isAsked;
    private long _numberWaits;
    private long _bytes;
    private int _items;
    private long _shortages;
    private long _refused;

    public PublishLimits Limits => limits;

    /// <summary>There is a place on disk for them. Until then no subscription becomes durable.</summary>
    public bool IsOpen { get; set; }

    public int Count
    {
        get
        {
            lock (_lock)
                return _states.Count;
        }
    }

    /// <summary>Of all their queues, as they lie on disk.</summary>
    public long Bytes => Interlocked.Read(ref _bytes);

    public int Items => Volatile.Read(ref _items);

    /// <summary>Values for which there was no room in bytes.</summary>
    public long Shortages => Interlocked.Read(ref _shortages);

    /// <summary>Subscriptions and items that a cap refused.</summary>
    public long Refused => Interlocked.Read(ref _refused);

    /// <summary>Publishing cycles in which a subscription had values, and no sequence number that the disk knows of.
    /// </summary>
    public long NumberWaits => Interlocked.Read(ref _numberWaits);

    /// <summary>Clients that have durable subscriptions.</summary>
    public int Holders
    {
        get
        {
            lock (_lock)
                return _holders.Count;
        }
    }

    /// <summary>The saver's: a save is wanted ahead of its time. Called under a shard's lock.</summary>
    public Action? SaveAsked { get; set; }

    /// <summary>Once until the next save begins.</summary>
    public void AskForSave()
    {
        if (Interlocked.Exchange(ref _isAsked, 1) == 0)
            SaveAsked?.Invoke();
    }

    public void OnSaveBegins() => Volatile.Write(ref _isAsked, 0);

    /// <summary>As they are now.</summary>
    public DurableState[] Snapshot()
    {
        lock (_lock)
            return [.. _states.Values];
    }

    /// <summary>Null: a cap is in the way, or its client has more than a sixth and only the last sixth is
    /// left.</summary>
    public DurableState? TryAdd(Subscription subscription)
    {
        lock (_lock)
        {
            var held = _holders.GetValueOrDefault(subscription.Consumer.Owner.HolderKey)?.Subscriptions ?? 0;
            if (new FairCap(limits.MaxDurableSubscriptions).Judge(_states.Count + 1, held) == CapVerdict.Granted)
                return AddUnderLock(subscription);
        }

        Interlocked.Increment(ref _refused);
        return null;
    }

    /// <summary>One that was there before the gateway was restarted, whatever the caps.</summary>
    public DurableState Restore(Subscription subscription)
    {
        lock (_lock)
            return AddUnderLock(subscription);
    }

    public void Remove(DurableState state)
    {
        lock (_lock)
        {
            _states.Remove(state.Subscription.Id);
            LeaveUnderLock(state.Holder);
        }

        _ended.Enqueue(state.Subscription.Id);
    }

    /// <summary>The id of one whose file can go; the same one until <see cref="ForgetEnded"/>.</summary>
    public bool TryPeekEnded(out uint id) => _ended.TryPeek(out id);

    public void ForgetEnded() => _ended.TryDequeue(out _);

    /// <summary>The subscription has another owner, perhaps of another certificate or address: what it has counts for
    /// that one. Under its shard's lock.</summary>
    public void Follow(DurableState state)
    {
        var key = state.Subscription.Consumer.Owner.HolderKey;
        lock (_lock)
        {
            var (before, items) = (state.Holder, state.Subscription.Items.Count);
            if (state.IsEnded || before.Key == key)
                return;
            state.Holder = EnterUnderLock(key);
            before.AddItems(-items);
            before.AddBytes(-state.Bytes);
            state.Holder.AddItems(items);
            state.Holder.AddBytes(state.Bytes);
            LeaveUnderLock(before);
        }
    }

    /// <summary>False: there are as many as may be, or its client has more than a sixth and only the last sixth is
    /// left.</summary>
    public bool TryAddItem(DurableState state)
    {
        var used = Interlocked.Increment(ref _items);
        if (new FairCap(limits.MaxDurableMonitoredItems).Judge(used, state.Holder.Items) == CapVerdict.Granted)
        {
            state.Holder.AddItems(1);
            return true;
        }

        Interlocked.Decrement(ref _items);
        Interlocked.Increment(ref _refused);
        return false;
    }

    public void AddItems(int change) => Interlocked.Add(ref _items, change);

    public bool HasRoomFor(int bytes, DurableHolder holder) =>
        new FairCap(limits.MaxDurableBytes).Judge(Bytes + bytes, holder.Bytes) == CapVerdict.Granted;

    public void AddBytes(long change) => Interlocked.Add(ref _bytes, change);

    public void CountNumberWait() => Interlocked.Increment(ref _numberWaits);

    public void CountShortage() => Interlocked.Increment(ref _shortages);

    private DurableState AddUnderLock(Subscription subscription)
    {
        var holder = EnterUnderLock(subscription.Consumer.Owner.HolderKey);
        var state = new DurableState(this, subscription, holder);
        _states.Add(subscription.Id, state);
        return state;
    }

    private DurableHolder EnterUnderLock(string key)
    {
        if (!_holders.TryGetValue(key, out var holder))
            _holders.Add(key, holder = new DurableHolder(key));
        holder.Subscriptions++;
        return holder;
    }

    private void LeaveUnderLock(DurableHolder holder)
    {
        if (--holder.Subscriptions == 0)
            _holders.Remove(holder.Key);
    }
}
