using Gateway.Client;
using Gateway.Codec.Types;
using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Clients;
using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Scenarios.Soak;

/// <summary>The sessions that a plant would have, each with one subscription whose every value is checked.</summary>
internal sealed class GoodSessions : IAsyncDisposable
{
    private readonly List<ClientSession> _sessions = [];
    private readonly List<Watcher> _watchers = [];
    private long[] _seen = [];

    /// <summary>Periods in which a session got nothing.</summary>
    public long SilentPeriods { get; private set; }

    public Recorder Recorder { get; } = new();

    public ClientSession First => _sessions[0];

    public long Values => _watchers.Sum(watcher => watcher.Counters.Values);

    public async Task OpenAsync(RunContext context, int count, int items, double intervalMs, NodeId[] tags)
    {
        for (var i = 0; i < count; i++)
        {
            var session = await context.Sessions.OpenAsync(context.Cancellation);
            _sessions.Add(session);
            var own = new NodeId[items];
            for (var item = 0; item < items; item++)
                own[item] = tags[((i * items) + item) % tags.Length];
            var watcher = new Watcher(items, Recorder);
            await watcher.StartAsync(session, own, intervalMs, context.Cancellation);
            _watchers.Add(watcher);
        }

        _seen = new long[count];
    }

    /// <summary>At the end of a period.</summary>
    public void Look()
    {
        for (var i = 0; i < _watchers.Count; i++)
        {
            var values = _watchers[i].Counters.Values;
            if (values == _seen[i])
                SilentPeriods++;
            _seen[i] = values;
        }
    }

    public void AddTo(Report report)
    {
        new WatcherTotals(_watchers).AddFaultsTo(report);
        report.AddFault("good sessions lost", _sessions.Count(session => !session.IsOpen));
        report.AddFault("periods of a good session without a value", SilentPeriods);
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var session in _sessions)
            await session.DisposeAsync();
    }
}
