using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Clients;
using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Scenarios;

/// <summary>Server to client: all tags, shared by some sessions.</summary>
internal sealed class OutwardChanges
{
    private readonly RunContext _context;
    private readonly SessionPool _pool;
    private readonly WatcherPool _watchers;
    private WatcherTotals? _from;
    private WatcherTotals? _to;

    public OutwardChanges(RunContext context)
    {
        _context = context;
        _pool = new SessionPool(context);
        _watchers = new WatcherPool(context, Recorder);
    }

    public Recorder Recorder { get; } = new();

    public long Values => _to!.Values - _from!.Values;

    public async Task StartAsync(int count, int sessions, double intervalMs)
    {
        var tags = await _context.FindTagsAsync(count);
        await _pool.OpenUpToAsync(sessions);
        var each = (tags.Length + _pool.Sessions.Count - 1) / _pool.Sessions.Count;
        await _watchers.AddAsync(
            0,
            _pool.Sessions.Count,
            n => _pool.Sessions[n],
            n => TagSlice.Of(tags, (long)n * each, Math.Clamp(tags.Length - (n * each), 0, each)),
            intervalMs);
    }

    public void Begin() => _from = _watchers.Totals;

    public void End() => _to = _watchers.Totals;

    public void Print(Window window)
    {
        var report = _context.Report;
        report.Add("server to client: changes a second", Values / window.Seconds, "/s");
        report.Add("server to client: notifications a message", Values / (double)(_to!.Messages - _from!.Messages));
        report.Add("server to client: latency p50", Recorder.Latency.PercentileMs(0.5), "ms");
        report.Add("server to client: latency p99", Recorder.Latency.PercentileMs(0.99), "ms");
        report.Add("server to client: latency max", Recorder.Latency.MaximumMs, "ms");
        report.Add("server to client: lateness p99", Recorder.Lateness.PercentileMs(0.99), "ms");
        report.AddFault("sessions refused", _pool.Failed);
        report.AddFault("sessions lost", _pool.Lost);
        _to.AddFaultsTo(report);
    }
}
