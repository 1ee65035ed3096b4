using Gateway.Codec.Types;
using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Clients;
using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Scenarios;

/// <summary>The sessions of a run as they grow from step to step.</summary>
internal sealed class SessionsRun
{
    private const int Slice = 1000;
    private const double SettleSeconds = 2;
    private const int Scrapes = 20;

    private readonly RunContext _context;
    private readonly NodeId[] _tags;
    private readonly Recorder _recorder = new();
    private readonly WatcherPool _watchers;
    private double _bytesAtStart;

    public SessionsRun(RunContext context, NodeId[] tags)
    {
        _context = context;
        _tags = tags;
        Pool = new SessionPool(context);
        _watchers = new WatcherPool(context, _recorder);
    }

    public required int Items { get; init; }

    public required double IntervalMs { get; init; }

    public required double WarmUpSeconds { get; init; }

    public required double Seconds { get; init; }

    public SessionPool Pool { get; }

    /// <summary>Sessions with a subscription that are closed again, a few at a time, so that JIT work and allocations
    /// for a server's first clients do not count as cost of a session. The memory is counted from here.
    /// </summary>
    public async Task WarmUpAsync(int sessions)
    {
        if (sessions > 0)
        {
            await OpenAndCloseAsync(sessions);
            await _context.WaitAsync("letting the server settle", SettleSeconds);
        }

        _bytesAtStart = _context.StartMeter().ServerResidentBytes;
    }

    public async Task<SessionsStep> GrowAsync(int sessions)
    {
        var before = Pool.Sessions.Count;
        var meter = _context.StartMeter();
        await Pool.OpenUpToAsync(sessions);
        var opening = meter.Stop();
        var opened = Pool.Sessions.Count - before;
        await _watchers.AddAsync(before, Pool.Sessions.Count, n => Pool.Sessions[n], TagsOf, IntervalMs);
        // The first values of the last sessions are due within an interval.
        await _context.WaitAsync("warm-up", WarmUpSeconds + (2 * IntervalMs / 1000));
        var seen = _watchers.Watchers.ConvertAll(watcher => watcher.Messages);
        var from = _watchers.Totals;
        var steady = await _context.MeasureAsync("steady state", Seconds, _recorder);
        var to = _watchers.Totals;
        var scrape = await ScrapeAsync();
        var all = Pool.Sessions.Count;
        return new SessionsStep
        {
            Sessions = all,
            Opened = opened,
            Refused = Pool.Failed,
            Lost = Pool.Lost,
            OpeningSeconds = Pool.Seconds,
            RateAll = all / Pool.Seconds,
            RateFirst = Pool.Rate(0, Slice),
            RateLast = Pool.Rate(Math.Max(0, all - Slice), Slice),
            Opening = opening,
            SessionBytes = (opening.ServerResidentBytes - meter.ServerResidentBytes) / opened,
            SubscribedBytes = (steady.ServerResidentBytes - _bytesAtStart) / all,
            Steady = steady,
            Values = to.Values - from.Values,
            Messages = to.Messages - from.Messages,
            Silent = Items == 0 ? 0 : _watchers.Watchers.Where((watcher, i) => watcher.Messages == seen[i]).Count(),
            LatenessP50Ms = _recorder.Lateness.PercentileMs(0.5),
            LatenessP99Ms = _recorder.Lateness.PercentileMs(0.99),
            LatenessMaxMs = _recorder.Lateness.MaximumMs,
            Totals = to,
            Scrape = scrape,
        };
    }

    /// <summary>While the sessions get their data.</summary>
    private async Task<ScrapeCost?> ScrapeAsync()
    {
        using var metrics = new GatewayMetrics(_context.HttpUrl);
        return await metrics.ScrapeAsync(Scrapes, _context.Cancellation);
    }

    private async Task OpenAndCloseAsync(int sessions)
    {
        var done = 0;
        _context.Progress.Begin("warming the server up", sessions, () => Volatile.Read(ref done));
        var options = new ParallelOptions
        {
            MaxDegreeOfParallelism = _context.Options.Concurrency,
            CancellationToken = _context.Cancellation,
        };
        await Parallel.ForAsync(0, sessions, options, async (number, cancellation) =>
        {
            await using var session = await _context.Sessions.OpenAsync(cancellation);
            var tags = TagsOf(number);
            await new Watcher(tags.Length, new Recorder()).StartAsync(session, tags, IntervalMs, cancellation);
            Interlocked.Increment(ref done);
        });
    }

    private NodeId[] TagsOf(int session) => TagSlice.Of(_tags, (long)session * Items, Items);
}
