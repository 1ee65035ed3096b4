using Gateway.Client;
using Gateway.Codec.Types;
using Gateway.Loadtest.Checks;

namespace Gateway.Loadtest.Clients;

/// <summary>Many subscriptions, created some at a time.</summary>
internal sealed class WatcherPool(RunContext context, Recorder recorder)
{
    private int _count;

    public List<Watcher> Watchers { get; } = [];

    /// <summary>As <see cref="Watcher.QueueSize"/>.</summary>
    public uint QueueSize { get; init; } = 100;

    /// <summary>As <see cref="Watcher.SamplingIntervalMs"/>.</summary>
    public double SamplingIntervalMs { get; init; }

    public WatcherTotals Totals => new(Watchers);

    /// <summary>One subscription for each number from <paramref name="first"/> up to the end.</summary>
    /// <param name="first">The first number.</param>
    /// <param name="end">One past the last.</param>
    /// <param name="sessionOf">The session of a number.</param>
    /// <param name="tagsOf">Its tags.</param>
    /// <param name="intervalMs">Publishing interval.</param>
    public async Task AddAsync(
        int first, int end, Func<int, ClientSession> sessionOf, Func<int, NodeId[]> tagsOf, double intervalMs)
    {
        context.Progress.Begin("creating subscriptions", end, () => Volatile.Read(ref _count));
        var options = new ParallelOptions
        {
            MaxDegreeOfParallelism = context.Options.Concurrency,
            CancellationToken = context.Cancellation,
        };
        var added = new Watcher[end - first];
        await Parallel.ForAsync(first, end, options, async (number, cancellation) =>
        {
            var tags = tagsOf(number);
            var watcher = added[number - first] = new Watcher(tags.Length, recorder)
            {
                QueueSize = QueueSize,
                SamplingIntervalMs = SamplingIntervalMs,
            };
            await watcher.StartAsync(sessionOf(number), tags, intervalMs, cancellation);
            Interlocked.Increment(ref _count);
        });
        Watchers.AddRange(added);
    }
}
