namespace Gateway.Testing;

/// <summary>What code allocates once it is warm. A collection that a test beside this one causes shifts the runtime's
/// count by what was left of the thread's allocation context; a real allocation is there in each try.</summary>
internal static class Allocations
{
    private const int MostTries = 50;

    /// <summary>Bytes that a thousand calls allocate on this thread, at the least of five tries.</summary>
    public static long OfThousand(Action action)
    {
        for (var i = 0; i < 100; i++)
            action();
        return Least(() =>
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            for (var i = 0; i < 1000; i++)
                action();
            return GC.GetAllocatedBytesForCurrentThread() - before;
        });
    }

    /// <summary>The least in bytes of five measurements without a collection beside them. Where each has one, it is
    /// the measured code that causes them, and the least of all counts.</summary>
    public static long Least(Func<long> measure)
    {
        var (least, leastOfAll, quiet) = (long.MaxValue, long.MaxValue, 0);
        for (var attempt = 0; attempt < MostTries && quiet < 5; attempt++)
        {
            var collections = GC.CollectionCount(0);
            var bytes = measure();
            leastOfAll = Math.Min(leastOfAll, bytes);
            if (GC.CollectionCount(0) != collections)
                continue;
            least = Math.Min(least, bytes);
            quiet++;
        }

        return quiet > 0 ? least : leastOfAll;
    }
}
