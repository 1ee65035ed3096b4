using System.Diagnostics;

namespace Gateway.Transport.Tracing;

/// <summary>
/// Decides which requests are traced, and begins their spans. The decision falls before anything is allocated: a
/// request that is not traced costs a comparison while tracing is off, and a random number while it is on. One for the
/// process. Threads: any.
/// </summary>
public sealed class RequestTracing : IDisposable
{
    public const string SourceName = "Gateway";

    private readonly ActivitySource _source = new(SourceName);
    private readonly TracingOptions _options;
    private readonly TimeProvider _time;
    private long _second;
    private int _askedInSecond;
    private long _asked;
    private long _askedAbove;

    public RequestTracing(TracingOptions options, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(options);
        (_options, _time) = (options, time);
    }

    /// <summary>Somebody takes spans.</summary>
    public bool IsOn => _options.IsOn && _source.HasListeners();

    /// <summary>Requests whose caller asked for a trace, and got one.</summary>
    public long Asked => Interlocked.Read(ref _asked);

    /// <summary>Those above MaxAskedTracesPerSecond; the ratio decided about them.</summary>
    public long AskedAbove => Interlocked.Read(ref _askedAbove);

    /// <summary>The span of this flow that is under way, or null. Work that a traced request has left behind must not
    /// count as a part of it, so one that has ended is none.</summary>
    public static Activity? Current => Activity.Current is { IsStopped: false } current && current.Recorded &&
        current.Source.Name == SourceName
            ? current
            : null;

    /// <summary>Null: the request is not traced. Else its span, which is <see cref="Activity.Current"/> from now on.
    /// </summary>
    /// <param name="name">The service or the route: few.</param>
    /// <param name="kind">Of the span.</param>
    /// <param name="asked">The context that the caller sent; default if it sent none.</param>
    public Activity? Start(string name, ActivityKind kind, in ActivityContext asked)
    {
        if (!IsOn)
            return null;
        if (Current is not null)
            return _source.StartActivity(name, kind);
        if (asked.TraceId != default && (asked.TraceFlags & ActivityTraceFlags.Recorded) == 0)
            return null;
        var isTraced = (asked.TraceId != default && TryTakeAsked()) ||
            Random.Shared.NextDouble() < _options.SampleRatio;
        return isTraced ? _source.StartActivity(name, kind, asked) : null;
    }

    /// <summary>Whether something that begins now and takes several messages is traced: for <see cref="Record"/> at its
    /// end. Nothing has to be kept of it otherwise.</summary>
    public bool TakesNext() => IsOn && Random.Shared.NextDouble() < _options.SampleRatio;

    /// <summary>The span of something that is over. It has no parent, and is never <see cref="Activity.Current"/> for
    /// others.</summary>
    /// <param name="name">Of few.</param>
    /// <param name="from">Its beginning.</param>
    /// <param name="until">Its end.</param>
    /// <param name="describe">Adds what is to be said of it.</param>
    public void Record(string name, DateTimeOffset from, DateTimeOffset until, Action<Activity> describe)
    {
        ArgumentNullException.ThrowIfNull(describe);
        var before = Activity.Current;
        Activity.Current = null;
        try
        {
            using var span = _source.StartActivity(
                name, ActivityKind.Server, default(ActivityContext), tags: null, links: null, from);
            if (span is null)
                return;
            describe(span);
            span.SetEndTime(until.UtcDateTime);
        }
        finally
        {
            Activity.Current = before;
        }
    }

    public void Dispose() => _source.Dispose();

    /// <summary>Callers decide that they are traced, so their number is bounded.</summary>
    private bool TryTakeAsked()
    {
        var second = _time.GetTimestamp() / _time.TimestampFrequency;
        var before = Volatile.Read(ref _second);
        if (before != second && Interlocked.CompareExchange(ref _second, second, before) == before)
            Volatile.Write(ref _askedInSecond, 0);
        var isWithin = Interlocked.Increment(ref _askedInSecond) <= _options.MaxAskedPerSecond;
        Interlocked.Increment(ref isWithin ? ref _asked : ref _askedAbove);
        return isWithin;
    }
}
