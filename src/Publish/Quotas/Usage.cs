using Gateway.Admission.Caps;

namespace Gateway.Publish.Quotas;

/// <summary>Subscriptions, items and queue entries of one holder, and their caps. A limit refuses only what is asked
/// for: one that is exceeded by a move holds up nothing else. Thread-safe.</summary>
/// <param name="limits">Its caps.</param>
/// <param name="key">Of a user, certificate or address; empty for other holders.</param>
internal sealed class Usage(UsageLimits limits, string key = "")
{
    private int _subscriptions;
    private int _items;
    private long _queuedValues;

    public string Key => key;

    public UsageLimits Limits => limits;

    public int Subscriptions => Volatile.Read(ref _subscriptions);

    public int Items => Volatile.Read(ref _items);

    public long QueuedValues => Interlocked.Read(ref _queuedValues);

    public Amount Amount => new(Subscriptions, Items, QueuedValues);

    /// <summary>Sessions that count for it; under the lock of <see cref="HolderTable"/>.</summary>
    public int Sessions { get; set; }

    /// <summary>All of it, or nothing.</summary>
    public bool TryTake(in Amount wanted)
    {
        var used = Add(wanted);
        if ((wanted.Subscriptions <= 0 || used.Subscriptions <= limits.Subscriptions) &&
            (wanted.Items <= 0 || used.Items <= limits.Items) &&
            (wanted.QueuedValues <= 0 || used.QueuedValues <= limits.QueuedValues))
            return true;
        Add(-wanted);
        return false;
    }

    /// <summary>The same where the last sixth is kept for those that hold little (R46).</summary>
    /// <param name="wanted">All of it, or nothing.</param>
    /// <param name="held">The use of the holder that asks, before the request.</param>
    public CapVerdict TryTake(in Amount wanted, in Amount held)
    {
        var used = Add(wanted);
        var verdict = CapVerdict.Granted;
        if (wanted.Subscriptions > 0)
            verdict = new FairCap(limits.Subscriptions).Judge(used.Subscriptions, held.Subscriptions);
        if (wanted.Items > 0 && verdict == CapVerdict.Granted)
            verdict = new FairCap(limits.Items).Judge(used.Items, held.Items);
        if (wanted.QueuedValues > 0 && verdict == CapVerdict.Granted)
            verdict = new FairCap(limits.QueuedValues).Judge(used.QueuedValues, held.QueuedValues);
        if (verdict != CapVerdict.Granted)
            Add(-wanted);
        return verdict;
    }

    /// <summary>So much more would be too much. Not for a decision: it may change at any moment.</summary>
    public bool IsFullFor(in Amount wanted) =>
        (wanted.Subscriptions > 0 && Subscriptions + wanted.Subscriptions > limits.Subscriptions) ||
        (wanted.Items > 0 && Items + wanted.Items > limits.Items);

    /// <summary>Adds without a check of the limits: for moves, reductions and ends (negative numbers).</summary>
    /// <returns>The amount afterwards.</returns>
    public Amount Add(in Amount change) => new(
        change.Subscriptions == 0 ? _subscriptions : Interlocked.Add(ref _subscriptions, change.Subscriptions),
        change.Items == 0 ? _items : Interlocked.Add(ref _items, change.Items),
        change.QueuedValues == 0 ? _queuedValues : Interlocked.Add(ref _queuedValues, change.QueuedValues));
}
