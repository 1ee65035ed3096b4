namespace Gateway.Testing;

/// <summary>What code allocates once it is warm. A collection that a test beside this one causes shifts the runtime's
/// count by what was left of the thread's allocation context; a real allocation is there in each try.</summary>
internal static class Allocations
{
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

    /// <summary>The least of five measurements in bytes.</summary>
    public static long Least(Func<long> measure)
    {
        var least = long.MaxValue;
        for (var attempt = 0; attempt < 5; attempt++)
            least = Math.Min(least, measure());
        return least;
    }
}
