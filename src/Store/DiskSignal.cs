namespace Gateway.Store;

/// <summary>Wakes the disk's thread. Threads: any sets; one waits.</summary>
internal sealed class DiskSignal : IDisposable
{
    private readonly AutoResetEvent _work = new(false);
    private readonly AutoResetEvent _urgent = new(false);
    private int _isSet;

    /// <param name="isUrgent">The delay that lets records come together is not worth it.</param>
    public void Set(bool isUrgent)
    {
        if (Interlocked.Exchange(ref _isSet, 1) == 0)
            _work.Set();
        if (isUrgent)
            _urgent.Set();
    }

    /// <summary>Returns when there is work, and has been for the delay, or after the longest time without.</summary>
    public void Wait(TimeSpan longest, TimeSpan delay)
    {
        if (!_work.WaitOne(longest))
            return;
        if (delay > TimeSpan.Zero)
            _urgent.WaitOne(delay);
        Volatile.Write(ref _isSet, 0);
        // Work that came after the write above sets the event again; the turn that follows sees all before it.
        Interlocked.MemoryBarrier();
    }

    public void Dispose()
    {
        _work.Dispose();
        _urgent.Dispose();
    }
}
