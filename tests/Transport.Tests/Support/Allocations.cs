namespace Gateway.Transport.Tests.Support;

internal static class Allocations
{
    /// <summary>Bytes that a thousand calls allocate on this thread, at the least of five tries: a collection that
    /// another test causes shifts the runtime's count, a real allocation is there each time.</summary>
    public static long OfThousand(Action action)
    {
        for (var i = 0; i < 100; i++)
            action();
        var least = long.MaxValue;
        for (var attempt = 0; attempt < 5; attempt++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            for (var i = 0; i < 1000; i++)
                action();
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        return least;
    }
}
