using Gateway.Codec.Structures;
using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Clients;
using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Scenarios.Events;

/// <summary>Clients of one server, a session with one event item each.</summary>
internal sealed class EventCrowd
{
    private readonly RunContext _run;

    private EventCrowd(RunContext run) => (_run, Pool) = (run, new SessionPool(run));

    public SessionPool Pool { get; }

    public Recorder Recorder { get; } = new() { Part = MeasurePart.Opening };

    public List<EventWatcher> Watchers { get; } = [];

    /// <param name="run">With the server.</param>
    /// <param name="count">Of clients.</param>
    /// <param name="intervalMs">Publishing interval.</param>
    /// <param name="step">As <see cref="EventWatcher"/>.</param>
    /// <param name="itemOf">By the client's number.</param>
    public static async Task<EventCrowd> StartAsync(
        RunContext run, int count, double intervalMs, int step, Func<int, MonitoredItemCreateRequest> itemOf)
    {
        var crowd = new EventCrowd(run);
        await crowd.Pool.OpenUpToAsync(count);
        var watchers = new EventWatcher[crowd.Pool.Sessions.Count];
        var options = new ParallelOptions
        {
            MaxDegreeOfParallelism = run.Options.Concurrency,
            CancellationToken = run.Cancellation,
        };
        await Parallel.ForAsync(0, watchers.Length, options, async (number, cancellation) =>
        {
            watchers[number] = new EventWatcher(crowd.Recorder, step);
            await watchers[number].StartAsync(
                crowd.Pool.Sessions[number], intervalMs, itemOf(number), cancellation);
        });
        crowd.Watchers.AddRange(watchers);
        crowd.Recorder.Part = MeasurePart.Settling;
        return crowd;
    }

    public long Sum(Func<EventWatcher, long> count) => Watchers.Sum(count);

    /// <summary>Until all have what they are to have, or nothing comes any more.</summary>
    /// <param name="phase">For the progress line.</param>
    /// <param name="count">Of one client.</param>
    /// <param name="wanted">By each.</param>
    /// <returns>Whether all have it.</returns>
    public async Task<bool> WaitAsync(string phase, Func<EventWatcher, long> count, long wanted)
    {
        const int PatienceSeconds = 30;
        var total = (int)Math.Min(int.MaxValue, wanted * Watchers.Count);
        _run.Progress.Begin(phase, total, () => (int)Math.Min(int.MaxValue, Sum(count)));
        using var tick = new PeriodicTimer(TimeSpan.FromMilliseconds(50));
        var (last, since) = (-1L, TimeProvider.System.GetTimestamp());
        while (Watchers.Any(one => count(one) < wanted))
        {
            await tick.WaitForNextTickAsync(_run.Cancellation);
            var now = Sum(count) + Sum(static one => one.Messages);
            if (now != last)
                (last, since) = (now, TimeProvider.System.GetTimestamp());
            else if (TimeProvider.System.GetElapsedTime(since).TotalSeconds > PatienceSeconds)
                return false;
        }

        return true;
    }

    /// <summary>Seconds from a moment to the last arrival at each client.</summary>
    public Histogram LastSince(long timestamp)
    {
        var arrivals = new Histogram();
        foreach (var one in Watchers.Where(static one => one.LastAt > 0))
            arrivals.Add(TimeProvider.System.GetElapsedTime(timestamp, one.LastAt).TotalMilliseconds);
        return arrivals;
    }

    public void AddFaultsTo(Report report, bool isPeer = false)
    {
        (string Name, long Count)[] faults =
        [
            ("events missing", Sum(static one => one.Missing)),
            ("events that came again", Sum(static one => one.Repeats)),
            ("events of another filter", Sum(static one => one.Foreign)),
            ("queues that overflowed", Sum(static one => one.Overflows)),
            ("refreshes required", Sum(static one => one.RefreshesRequired)),
            ("messages lost", Sum(static one => one.Lost)),
            ("clients refused or lost", Pool.Failed + Pool.Lost),
        ];
        foreach (var (name, count) in faults)
        {
            if (isPeer)
                report.Add(name, count);
            else
                report.AddFault(name, count);
        }
    }
}
