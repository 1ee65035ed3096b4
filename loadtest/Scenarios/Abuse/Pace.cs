namespace Gateway.Loadtest.Scenarios.Abuse;

/// <summary>Starts work at a steady rate for a while, at most so many at a time: missed work is not made up for, so
/// that a server that holds its clients up is not answered with ever more of them.</summary>
internal sealed class Pace(double perSecond, int most, TimeProvider time)
{
    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(10);
    private readonly List<Task> _underWay = [];

    /// <summary>Those that were begun.</summary>
    public int Begun { get; private set; }

    /// <summary>Work that fell out because too much was under way.</summary>
    public int Skipped { get; private set; }

    /// <returns>When all that was begun has ended.</returns>
    /// <param name="seconds">In which work is begun.</param>
    /// <param name="one">By its number from 0; its errors are its own affair.</param>
    /// <param name="cancellation">Ends the beginning.</param>
    public async Task RunAsync(double seconds, Func<int, Task> one, CancellationToken cancellation)
    {
        var start = time.GetTimestamp();
        var total = (int)Math.Round(seconds * perSecond);
        for (var elapsed = 0.0; !cancellation.IsCancellationRequested; elapsed = Elapsed(start))
        {
            _underWay.RemoveAll(static task => task.IsCompleted);
            var due = Math.Min(total, (int)(elapsed * perSecond) + 1) - Skipped - Begun;
            var now = Math.Min(due, most - _underWay.Count);
            Skipped += due - now;
            for (var i = 0; i < now; i++)
                _underWay.Add(one(Begun++));
            if (elapsed >= seconds)
                break;
            await Task.Delay(Tick, time, cancellation).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        await Task.WhenAll(_underWay);
    }

    private double Elapsed(long start) => time.GetElapsedTime(start).TotalSeconds;
}
