namespace Gateway.Transport.Hosting;

/// <summary>The process-wide budget for half-received messages and waiting output (R04). Only connections that hold
/// something are listed; over the budget the largest of them is closed. Threads: any; its lock is a leaf, held for the
/// list alone.</summary>
internal sealed class MemoryBudget(long limitBytes)
{
    private readonly Lock _lock = new();
    private readonly HashSet<IMemoryHolder> _holders = [];
    private long _total;

    public long TotalBytes => Volatile.Read(ref _total);

    /// <param name="holder">Whose holding changed.</param>
    /// <param name="before">What it held.</param>
    /// <param name="now">What it holds.</param>
    public void Change(IMemoryHolder holder, long before, long now)
    {
        if (before == now)
            return;
        if ((before == 0) != (now == 0))
        {
            lock (_lock)
            {
                if (now == 0)
                    _holders.Remove(holder);
                else
                    _holders.Add(holder);
            }
        }

        if (Interlocked.Add(ref _total, now - before) > limitBytes && now > before)
            Largest()?.ReleaseForBudget();
    }

    private IMemoryHolder? Largest()
    {
        lock (_lock)
        {
            IMemoryHolder? largest = null;
            foreach (var holder in _holders)
            {
                if (largest is null || holder.HeldBytes > largest.HeldBytes)
                    largest = holder;
            }

            return largest;
        }
    }
}
