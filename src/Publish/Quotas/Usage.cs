namespace Gateway.Publish.Quotas;

/// <summary>What one holder has of subscriptions, items and queue entries, and may have. Thread-safe.</summary>
/// <param name="key">Of a user; empty for other holders.</param>
internal sealed class Usage(UsageLimits limits, string key = "")
{
    private int _subscriptions;
    private int _items;
    private long _queuedValues;

    public string Key => key;

    public int Subscriptions => Volatile.Read(ref _subscriptions);

    public int Items => Volatile.Read(ref _items);

    public long QueuedValues => Interlocked.Read(ref _queuedValues);

    /// <summary>Sessions of a user; under the lock of <see cref="UserTable"/>.</summary>
    public int Sessions { get; set; }

    public bool TryTakeSubscription()
    {
        if (Interlocked.Increment(ref _subscriptions) <= limits.Subscriptions)
            return true;
        Interlocked.Decrement(ref _subscriptions);
        return false;
    }

    public bool TryTakeItem()
    {
        if (Interlocked.Increment(ref _items) <= limits.Items)
            return true;
        Interlocked.Decrement(ref _items);
        return false;
    }

    public bool TryTakeQueue(long entries)
    {
        if (Interlocked.Add(ref _queuedValues, entries) <= limits.QueuedValues)
            return true;
        Interlocked.Add(ref _queuedValues, -entries);
        return false;
    }

    /// <summary>A whole subscription, or nothing.</summary>
    public bool TryTake(int items, long queuedValues)
    {
        var subscriptions = Interlocked.Increment(ref _subscriptions);
        var isInside = Interlocked.Add(ref _items, items) <= limits.Items;
        isInside &= Interlocked.Add(ref _queuedValues, queuedValues) <= limits.QueuedValues;
        if (isInside && subscriptions <= limits.Subscriptions)
            return true;
        Add(-1, -items, -queuedValues);
        return false;
    }

    /// <summary>Whatever the limits say: what is moved, what shrinks, what goes (negative numbers).</summary>
    public void Add(int subscriptions, int items, long queuedValues)
    {
        Interlocked.Add(ref _subscriptions, subscriptions);
        Interlocked.Add(ref _items, items);
        Interlocked.Add(ref _queuedValues, queuedValues);
    }
}
