namespace Gateway.Transport.Hosting;

/// <summary>The process-wide budget for half-received messages, waiting output and waiting requests (R04). Only holders
/// of memory are listed; over the budget the largest of them must release it. Threads: any; its lock is a leaf, held
/// for the list alone.</summary>
public sealed class MemoryBudget(long limitBytes)
{
    private readonly Lock _lock = new();
    private readonly HashSet<IMemoryHolder> _holders = [];
    private long _total;
    private long _refused;

    public long TotalBytes => Volatile.Read(ref _total);

    /// <summary>Requests that the budget ended before their answer was sent. A connection that it closed counts by its
    /// reason instead.</summary>
    public long RefusedRequests => Volatile.Read(ref _refused);

    public void CountRefused(uint requests) => Interlocked.Add(ref _refused, requests);

    /// <summary>Called behind the change. The list goes by the holder's bytes at that moment: of two threads that come
    /// to it in the wrong order the later one is right.</summary>
    /// <param name="holder">The holder that changed.</param>
    /// <param name="before">Its bytes before.</param>
    /// <param name="now">Its bytes now.</param>
    public void Change(IMemoryHolder holder, long before, long now)
    {
        if (before == now)
            return;
        if (before == 0 || now == 0)
            List(holder);
        if (Interlocked.Add(ref _total, now - before) > limitBytes && now > before)
            FindVictim()?.ReleaseForBudget();
    }

    private void List(IMemoryHolder holder)
    {
        lock (_lock)
        {
            if (holder.HeldBytes != 0)
                _holders.Add(holder);
            else
                _holders.Remove(holder);
        }
    }

    /// <summary>Null where those that release memory already are enough.</summary>
    private IMemoryHolder? FindVictim()
    {
        lock (_lock)
        {
            IMemoryHolder? largest = null;
            var releasing = 0L;
            foreach (var holder in _holders)
            {
                if (holder.IsEnding)
                    releasing += holder.HeldBytes;
                else if (largest is null || holder.HeldBytes > largest.HeldBytes)
                    largest = holder;
            }

            return TotalBytes - releasing > limitBytes ? largest : null;
        }
    }
}
