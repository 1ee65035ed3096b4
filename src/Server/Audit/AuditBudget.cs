namespace Gateway.Server.Audit;

/// <summary>Lines of one kind in the current second, and how many were dropped since the last that passed. Once the
/// second's lines are spent, asking costs one interlocked add. Threads: any.</summary>
internal sealed class AuditBudget
{
    private readonly Lock _lock = new();
    private long _second = long.MinValue;
    private long _spentIn = long.MinValue;
    private int _used;
    private long _dropped;

    /// <param name="second">The present second.</param>
    /// <param name="limit">Lines in one second.</param>
    /// <param name="wanted">At least one.</param>
    /// <param name="dropped">Lines dropped before; the caller reports them before the first line. 0: none.</param>
    /// <returns>How many lines may be written.</returns>
    public int Take(long second, int limit, int wanted, out long dropped)
    {
        dropped = 0;
        if (Volatile.Read(ref _spentIn) == second)
        {
            Interlocked.Add(ref _dropped, wanted);
            return 0;
        }

        lock (_lock)
        {
            if (second != _second)
                (_second, _used) = (second, 0);
            var granted = Math.Clamp(limit - _used, 0, wanted);
            _used += granted;
            if (granted > 0)
                dropped = Interlocked.Exchange(ref _dropped, 0);
            Interlocked.Add(ref _dropped, wanted - granted);
            if (_used >= limit)
                Volatile.Write(ref _spentIn, second);
            return granted;
        }
    }

    /// <summary>The events that were dropped in a second that is over; nobody may come to tell them. 0: none.</summary>
    /// <param name="second">The present second.</param>
    /// <param name="isLeft">Some of the present second remain.</param>
    public long TakeDropped(long second, out bool isLeft)
    {
        lock (_lock)
        {
            isLeft = second == _second && Volatile.Read(ref _dropped) > 0;
            return isLeft ? 0 : Interlocked.Exchange(ref _dropped, 0);
        }
    }
}
