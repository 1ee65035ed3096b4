using Gateway.Codec.Types;
using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Clients;

namespace Gateway.Loadtest.Scenarios;

/// <summary>The sessions of a run as they grow from step to step.</summary>
internal sealed class SessionsRun
{
    private const int Slice = 1000;

    private readonly RunContext _context;
    private readonly NodeId[] _tags;
    private readonly Recorder _recorder = new();
    private readonly WatcherPool _watchers;
    private readonly double _bytesAtStart;

    public SessionsRun(RunContext context, NodeId[] tags)
    {
        _context = context;
        _tags = tags;
        Pool = new SessionPool(context);
        _watchers = new WatcherPool(context, _recorder);
        _bytesAtStart = context.StartMeter().ServerResidentBytes;
    }

    public required int Items { get; init; }

    public required double IntervalMs { get; init; }

    public required double WarmUpSeconds { get; init; }

    public required double Seconds { get; init; }

    public SessionPool Pool { get; }

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
        };
    }

    private NodeId[] TagsOf(int session) => TagSlice.Of(_tags, (long)session * Items, Items);
}
