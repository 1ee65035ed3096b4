using Gateway.Sources.OpcUa.Sessions;
using Gateway.Sources.Upstreams;
using Microsoft.Extensions.Logging;

namespace Gateway.Sources.OpcUa.Load;

/// <summary>The load on one upstream: its budget, how much of it the upstream gets now, and who was refused. Threads:
/// any.</summary>
internal sealed partial class UpstreamLoad : IDisposable
{
    /// <summary>Between two lines of the log about refusals of one kind.</summary>
    private static readonly TimeSpan Quiet = TimeSpan.FromMinutes(1);

    private static readonly int Kinds = Enum.GetValues<LoadBudget>().Length;

    private readonly Lock _lock = new();
    private readonly TimeProvider _time;
    private readonly ILogger _log;
    private readonly long _maxAnswerBytes;
    private readonly RequestGate _gate;
    private readonly LearnedSizes _sizes = new();
    private readonly long[] _refused = new long[Kinds];
    private readonly long[] _untold = new long[Kinds];
    private readonly long?[] _toldAt = new long?[Kinds];
    private UpstreamOptions _options;
    private string? _lastRefusal;
    private DateTimeOffset _lastRefusalAt;

    public UpstreamLoad(UpstreamOptions options, UpstreamLimits limits, TimeProvider time, ILogger log)
    {
        (_options, _time, _log, _maxAnswerBytes) = (options, time, log, limits.MaxUpstreamAnswerBytes);
        _gate = new RequestGate(options.Budget, limits, time, Refused, OnChanged);
    }

    public UpstreamBudget Budget => Volatile.Read(ref _options).Budget;

    public GateState State => _gate.State;

    public LoadReport Report
    {
        get
        {
            var (state, options) = (_gate.State, Volatile.Read(ref _options));
            lock (_lock)
                return new LoadReport
                {
                    Profile = options.Profile,
                    MaxItems = options.Budget.MaxItems,
                    MaxConcurrentRequests = options.Budget.MaxConcurrentRequests,
                    MaxRequestsPerSecond = options.Budget.MaxRequestsPerSecond,
                    MaxReadsPerSecond = options.Budget.MaxReadsPerSecond,
                    Concurrency = state.Concurrency,
                    Pace = state.Pace,
                    Waiting = state.Waiting,
                    Cuts = [.. Enum.GetNames<LoadCause>().Zip(state.Cuts)],
                    LastCut = state.LastCause?.ToString(),
                    LastCutAt = state.LastCause is null ? null : state.LastCutAt,
                    Refused = [.. Enum.GetNames<LoadBudget>().Zip(_refused)],
                    LastRefusal = _lastRefusal,
                    LastRefusalAt = _lastRefusal is null ? null : _lastRefusalAt,
                };
        }
    }

    public void Configure(UpstreamOptions options)
    {
        Volatile.Write(ref _options, options);
        _gate.Configure(options.Budget);
    }

    public BudgetedSession Budgeted(IUpstreamSession session) =>
        new(session, _gate, _sizes, _time, _maxAnswerBytes);

    /// <summary>Another session: what the last one refused says nothing about it.</summary>
    public void OnSession() => _sizes.Forget();

    public void OnDisconnected() => _gate.OnDisconnected();

    public long RefusedFor(LoadBudget budget) => Volatile.Read(ref _refused[(int)budget]);

    /// <summary>A client's wish is refused for want of a budget.</summary>
    /// <param name="budget">The one that is used up.</param>
    /// <param name="reason">In words, for the operator.</param>
    public void Refused(LoadBudget budget, string reason) => Refused(budget, reason, 1);

    public void Refused(LoadBudget budget, string reason, int count)
    {
        long untold;
        lock (_lock)
        {
            var kind = (int)budget;
            _refused[kind] += count;
            _untold[kind] += count;
            (_lastRefusal, _lastRefusalAt) = (reason, _time.GetUtcNow());
            if (_toldAt[kind] is { } at && _time.GetElapsedTime(at) < Quiet)
                return;
            _toldAt[kind] = _time.GetTimestamp();
            (untold, _untold[kind]) = (_untold[kind], 0);
        }

        RefusedByBudget(_options.Name, budget, untold, reason);
    }

    public void Dispose() => _gate.Dispose();

    private void OnChanged(LoadCause? cause)
    {
        var state = _gate.State;
        if (cause is { } why)
            AskedForLess(_options.Name, why, state.Concurrency, (int)Math.Round(state.Pace * 100));
        else
            AskedForAll(_options.Name);
    }
}
