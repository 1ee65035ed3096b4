using System.Collections.Concurrent;
using Gateway.Admission.Caps;

namespace Gateway.Publish.Subscriptions;

/// <summary>All durable subscriptions, what they hold together, and the caps on it. Threads: any; its lock is a leaf.
/// </summary>
internal sealed class DurableBook(PublishLimits limits)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<uint, DurableState> _states = [];
    private readonly ConcurrentQueue<uint> _ended = new();
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
        var holder = subscription.Consumer.Owner.HolderKey;
        lock (_lock)
        {
            var held = 0;
            foreach (var state in _states.Values)
                held += state.Subscription.Consumer.Owner.HolderKey == holder ? 1 : 0;
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
            _states.Remove(state.Subscription.Id);
        _ended.Enqueue(state.Subscription.Id);
    }

    /// <summary>The id of one whose file can go; the same one until <see cref="ForgetEnded"/>.</summary>
    public bool TryPeekEnded(out uint id) => _ended.TryPeek(out id);

    public void ForgetEnded() => _ended.TryDequeue(out _);

    /// <summary>False: there are as many as may be.</summary>
    public bool TryAddItem()
    {
        if (Interlocked.Increment(ref _items) <= limits.MaxDurableMonitoredItems)
            return true;
        Interlocked.Decrement(ref _items);
        Interlocked.Increment(ref _refused);
        return false;
    }

    public void AddItems(int change) => Interlocked.Add(ref _items, change);

    public bool HasRoomFor(int bytes) => Bytes + bytes <= limits.MaxDurableBytes;

    public void AddBytes(long change) => Interlocked.Add(ref _bytes, change);

    public void CountShortage() => Interlocked.Increment(ref _shortages);

    private DurableState AddUnderLock(Subscription subscription)
    {
        var state = new DurableState(this, subscription);
        _states.Add(subscription.Id, state);
        return state;
    }
}
