namespace Gateway.Codec.Pooling;

/// <summary>
/// A part of the runtime's memory that large allocations leave alone. Where memory ends, the allocation that fails is
/// as often a small one, on a thread of the runtime that nobody can contain (R40): so a large one is refused before.
/// Garbage counts as used until it is collected, which is tried first. Threads: any.
/// </summary>
/// <param name="mostBytes">A large allocation may fill up so much.</param>
/// <param name="lookBytes">So much is allocated between two looks at what is used.</param>
/// <param name="used">Managed memory now, with its garbage and holes.</param>
/// <param name="collect">Stops all threads, for as long as the heap is large.</param>
/// <param name="time">For the pause between two collections.</param>
internal sealed class MemoryReserve(
    long mostBytes, long lookBytes, Func<long> used, Action collect, TimeProvider time)
{
    private const long MostReserveBytes = 256L * 1024 * 1024;

    /// <summary>Their places among the runtime's generations.</summary>
    private const int Large = 3;
    private const int Pinned = 4;

    private static readonly TimeSpan LeastPause = TimeSpan.FromMilliseconds(250);

    /// <summary>Of all time at most a tenth goes to collections, however large the heap is (R44).</summary>
    private const int PauseTimes = 9;

    private readonly Lock _lock = new();
    private long _sinceLook;
    private long? _collectedAt;
    private TimeSpan _pause = LeastPause;

    /// <summary>A quarter of what the runtime may use is left alone.</summary>
    /// <param name="collect">Releases all that is only kept, too.</param>
    public static MemoryReserve OfProcess(Action collect)
    {
        var memory = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;
        var reserve = Math.Min(memory / 4, MostReserveBytes);
        return new MemoryReserve(memory - reserve, reserve / 8, UsedBytes, collect, TimeProvider.System);
    }

    /// <summary>Before a large allocation. False: it would touch the reserve.</summary>
    public bool Allows(long bytes)
    {
        if (Interlocked.Add(ref _sinceLook, bytes) < lookBytes)
            return true;
        if (Fits(bytes))
        {
            Volatile.Write(ref _sinceLook, 0);
            return true;
        }

        lock (_lock)
        {
            if (!Fits(bytes) && (_collectedAt is not { } at || time.GetElapsedTime(at) >= _pause))
                CollectUnderLock();
        }

        // The next one looks again, because nothing is known to be free.
        return Fits(bytes);
    }

    private void CollectUnderLock()
    {
        var began = time.GetTimestamp();
        collect();
        var ended = time.GetTimestamp();
        var pause = PauseTimes * time.GetElapsedTime(began, ended);
        (_collectedAt, _pause) = (ended, pause > LeastPause ? pause : LeastPause);
    }

    /// <summary>With the holes between large arrays: small objects have no use for them.</summary>
    private static long UsedBytes()
    {
        var generations = GC.GetGCMemoryInfo(GCKind.Any).GenerationInfo;
        return GC.GetTotalMemory(false) + generations[Large].FragmentationAfterBytes +
            generations[Pinned].FragmentationAfterBytes;
    }

    private bool Fits(long bytes) => used() + bytes <= mostBytes;
}
