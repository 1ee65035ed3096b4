using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Clients;
using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Scenarios;

/// <summary>Client to server: sessions that write at a fixed rate, and as many others that watch the written
/// variables.</summary>
internal sealed class InwardChanges : IAsyncDisposable
{
    private const int TicksPerSecond = 100;

    private readonly RunContext _context;
    private readonly SessionPool _pool;
    private readonly List<Watcher> _watchers = [];
    private readonly List<CountingWriter> _writers = [];
    private readonly Histogram _roundTrip = new();
    private readonly CancellationTokenSource _end;
    private Task _running = Task.CompletedTask;
    private WatcherTotals? _from;
    private WatcherTotals? _to;
    private long _written;
    private long _unseen;

    public InwardChanges(RunContext context)
    {
        _context = context;
        _pool = new SessionPool(context);
        _end = CancellationTokenSource.CreateLinkedTokenSource(context.Cancellation);
    }

    public Recorder Recorder { get; } = new();

    public long Values => _to!.Values - _from!.Values;

    public async Task StartAsync(int variables, int sessions, int changesPerSecond, double intervalMs)
    {
        await _pool.OpenUpToAsync(2 * sessions);
        if (_pool.Failed > 0)
            throw new InvalidOperationException("the server refused a session; see --sessions");
        var nodes = await WriteTags.FindAsync(_context, _pool.Sessions[0], variables);
        var first = await WriteTags.FirstValueAsync(_pool.Sessions[0], nodes, _context.Cancellation);
        var each = nodes.Length / sessions;
        if (each == 0)
            throw new InvalidOperationException("more writing sessions than variables; see --write-tags");
        var batch = Math.Clamp(changesPerSecond / sessions / TicksPerSecond, 1, each);
        for (var i = 0; i < sessions; i++)
        {
            var part = nodes[(i * each)..((i + 1) * each)];
            var log = new WriteLog(part.Length);
            var watcher = new Watcher(part.Length, Recorder, log);
            _watchers.Add(watcher);
            _writers.Add(new CountingWriter(_pool.Sessions[i], part, batch, first, log));
            await EqualizeAsync(_writers[i], part.Length / batch);
            await watcher.StartAsync(_pool.Sessions[sessions + i], part, intervalMs, _context.Cancellation);
        }

        _running = Task.WhenAll(_writers.ConvertAll(writer => RunAsync(writer, changesPerSecond / (double)sessions)));
    }

    public void Begin()
    {
        _from = new WatcherTotals(_watchers);
        _written = Written();
        _writers.ForEach(writer => writer.RoundTrip = _roundTrip);
    }

    /// <summary>Stops writing and waits for the changes on their way: every variable's last value must have
    /// come.</summary>
    public async Task EndAsync(double intervalMs)
    {
        _to = new WatcherTotals(_watchers);
        _written = Written() - _written;
        await _end.CancelAsync();
        await _running;
        await _context.WaitAsync("waiting for the last values", 1 + (3 * intervalMs / 1000));
        for (var i = 0; i < _writers.Count; i++)
        {
            for (var node = 0; node < _writers[i].LastValues.Count; node++)
                _unseen += _watchers[i].Counters.LastOf((uint)node) == _writers[i].LastValues[node] ? 0 : 1;
        }
    }

    public void Print(Window window)
    {
        var report = _context.Report;
        report.Add("client to server: values a Write", _writers[0].BatchSize);
        report.Add("client to server: changes written a second", _written / window.Seconds, "/s");
        report.Add("client to server: changes seen a second", Values / window.Seconds, "/s");
        report.Add("client to server: latency p50", Recorder.Latency.PercentileMs(0.5), "ms");
        report.Add("client to server: latency p99", Recorder.Latency.PercentileMs(0.99), "ms");
        report.Add("client to server: latency max", Recorder.Latency.MaximumMs, "ms");
        report.Add("client to server: Write round trip p50", _roundTrip.PercentileMs(0.5), "ms");
        report.Add("client to server: Write round trip p99", _roundTrip.PercentileMs(0.99), "ms");
        var final = new WatcherTotals(_watchers);
        report.AddFault("client to server: values whose Write was not Good", _writers.Sum(writer => writer.Bad));
        report.AddFault("client to server: variables whose last value did not come", _unseen);
        report.AddFault("client to server: gaps", final.Gaps + final.Overflows + final.Replaced);
        report.AddFault("client to server: repeats", final.Repeats);
        report.AddFault("client to server: reordered", final.Reorders);
        report.AddFault("client to server: bad or unknown values", final.Unknown);
        report.AddFault("client to server: sequence numbers missing or twice", final.SequenceFaults);
        report.AddFault("client to server: messages lost", final.Lost);
        report.AddFault("client to server: sessions lost", _pool.Lost);
    }

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        await _running.ContinueWith(_ => { }, TaskScheduler.Default);
        _end.Dispose();
    }

    private long Written() => _writers.Sum(writer => writer.Writes * writer.BatchSize);

    /// <summary>Every variable once before it is watched: an earlier run may have left them at different
    /// counts.</summary>
    private static async Task EqualizeAsync(CountingWriter writer, int calls)
    {
        for (var i = 0; i <= calls; i++)
            await writer.WriteAsync();
    }

    /// <summary>Ticks are counted, so that a late one is caught up with.</summary>
    private async Task RunAsync(CountingWriter writer, double changesPerSecond)
    {
        var time = TimeProvider.System;
        var since = time.GetTimestamp();
        using var timer = new PeriodicTimer(TimeSpan.FromSeconds(1.0 / TicksPerSecond));
        double sent = 0;
        while (!_end.IsCancellationRequested)
        {
            var due = time.GetElapsedTime(since).TotalSeconds * changesPerSecond;
            for (; sent + writer.BatchSize <= due && !_end.IsCancellationRequested; sent += writer.BatchSize)
                await writer.WriteAsync();
            await timer.WaitForNextTickAsync(CancellationToken.None);
        }
    }
}
