using System.Diagnostics;
using Gateway.Testing.Loopback;

namespace Gateway.Microbenchmarks.Tables;

/// <summary>Time by batches of about 20 ms after the code has been compiled for good; bytes by the runtime's exact
/// count of the thread, or of the server beside it.</summary>
internal static class Meter
{
    private const int Batches = 5;
    private static readonly TimeSpan WarmUp = TimeSpan.FromMilliseconds(150);
    private static readonly TimeSpan Batch = TimeSpan.FromMilliseconds(20);

    public static Measurement Measure(Action operation, bool countsServer)
    {
        var rounds = Calibrate(operation);
        Span<double> times = stackalloc double[Batches];
        for (var i = 0; i < Batches; i++)
        {
            var start = Stopwatch.GetTimestamp();
            Run(operation, rounds);
            times[i] = Stopwatch.GetElapsedTime(start).TotalNanoseconds / rounds;
        }

        times.Sort();
        return new Measurement(times[Batches / 2], CountBytes(operation, rounds, countsServer));
    }

    private static double CountBytes(Action operation, int rounds, bool countsServer)
    {
        // Enough that what comes once in many rounds shows, and few enough for an exact fraction.
        var counted = Math.Clamp(rounds, 1, 1000);
        var least = double.MaxValue;
        for (var attempt = 0; attempt < 3; attempt++)
        {
            var bytes = countsServer
                ? ServerBytes.Of(() => Run(operation, counted))
                : OfThisThread(operation, counted);
            least = Math.Min(least, bytes / (double)counted);
        }

        return least;
    }

    private static long OfThisThread(Action operation, int rounds)
    {
        var before = GC.GetAllocatedBytesForCurrentThread();
        Run(operation, rounds);
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }

    private static int Calibrate(Action operation)
    {
        var start = Stopwatch.GetTimestamp();
        var rounds = 0L;
        var batch = 1;
        while (Stopwatch.GetElapsedTime(start) < WarmUp)
        {
            Run(operation, batch);
            rounds += batch;
            batch = Math.Min(batch * 2, 1 << 16);
        }

        var one = Stopwatch.GetElapsedTime(start) / rounds;
        return (int)Math.Clamp(Batch / one, 1, 10_000_000);
    }

    private static void Run(Action operation, int rounds)
    {
        for (var i = 0; i < rounds; i++)
            operation();
    }
}
