using System.Collections.Concurrent;
using System.Globalization;
using Gateway.Client;
using Gateway.Codec.Types;
using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Clients;

namespace Gateway.Loadtest.Scenarios.Matrix;

/// <summary>The sessions of one row of the grid: they grow from cell to cell and are closed together.</summary>
internal sealed class MatrixRow(RunContext run, NodeId[] tags, int subscriptions, int items, double intervalMs)
{
    private readonly ConcurrentBag<ClientSession> _sessions = [];
    private readonly ConcurrentBag<Watcher> _watchers = [];
    private readonly uint _queueSize = (uint)run.Get(MatrixScenario.Queue);
    private int _asked;

    public Recorder Recorder { get; } = new();

    public WatcherTotals Totals => new(_watchers);

    /// <summary>Sessions that ended, or queues that were not granted: such an item may lose values without a word, so
    /// that its checks say nothing. Empty: neither.</summary>
    public string Refusal
    {
        get
        {
            var lost = _sessions.Count(session => !session.IsOpen);
            var revised = Totals.ShortQueues;
            return lost > 0 ? Text($"{lost:N0} sessions lost")
                : revised > 0 ? Text($"{revised:N0} queues of {_queueSize} entries revised to fewer")
                : string.Empty;
        }
    }

    /// <summary>Errors: ServiceException and InvalidOperationException with the refused request;
    /// OperationCanceledException.</summary>
    public async Task GrowAsync(int sessions, CancellationToken cancellation)
    {
        var parallel = new ParallelOptions
        {
            MaxDegreeOfParallelism = run.Options.Concurrency,
            CancellationToken = cancellation,
        };
        run.Progress.Begin(
            $"{subscriptions} subscriptions of {items} items: sessions", sessions, () => _sessions.Count);
        var first = _asked;
        _asked = sessions;
        await Parallel.ForAsync(first, sessions, parallel, async (number, cancellationOfAll) =>
        {
            var session = await run.Sessions.OpenAsync(cancellationOfAll);
            _sessions.Add(session);
            for (var i = 0; i < subscriptions; i++)
            {
                var watcher = new Watcher(items, Recorder) { QueueSize = _queueSize };
                _watchers.Add(watcher);
                await watcher.StartAsync(session, TagsOf(number, i), intervalMs, cancellationOfAll);
            }
        });
    }

    public async Task CloseAsync()
    {
        run.Progress.Begin("closing sessions");
        var parallel = new ParallelOptions { MaxDegreeOfParallelism = run.Options.Concurrency };
        await Parallel.ForEachAsync(_sessions, parallel, async (session, cancellation) =>
            await session.CloseAsync(cancellation: cancellation));
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    private NodeId[] TagsOf(int session, int subscription)
    {
        var own = new NodeId[items];
        var first = ((long)session * subscriptions + subscription) * items;
        for (var i = 0; i < items; i++)
            own[i] = tags[(first + i) % tags.Length];
        return own;
    }
}
