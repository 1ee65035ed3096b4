using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Load;

/// <summary>
/// How much of its budget an upstream gets: by additive increase and multiplicative decrease (AIMD), of the requests at
/// a time and of the pace. It gets less when its answers become slow, before it falls over, and slowly more again when
/// they are as usual. Owner: <see cref="RequestGate"/>, under its lock.
/// </summary>
internal sealed class LoadControl(TimeProvider time, int maxConcurrency)
{
    /// <summary>An answer that took so many times as long as usual is slow.</summary>
    private const double SlowFactor = 4;

    /// <summary>No answer below it is slow: networks and garbage collectors do that.</summary>
    private static readonly TimeSpan NeverSlow = TimeSpan.FromMilliseconds(50);

    /// <summary>One slow answer may be a large one: so many, with fewer usual ones between them, are a sign.</summary>
    private const double SlowAnswers = 2;

    private const double SlowCut = 0.7;
    private const double HardCut = 0.5;

    /// <summary>A controller that still answers is asked for so much in any case.</summary>
    private const double LeastPace = 0.05;
    private const double PaceStep = 0.05;
    private const double ConcurrencyStep = 0.5;

    /// <summary>Between two steps up. From half of its budget an upstream is back after 20 s.</summary>
    private static readonly TimeSpan StepPause = TimeSpan.FromSeconds(2);

    private readonly ResponseTimes _times = new();
    private readonly long[] _cuts = new long[Enum.GetValues<LoadCause>().Length];
    private long _changed = time.GetTimestamp();
    private long _cut = long.MinValue;
    private int _most = maxConcurrency;
    private double _concurrency = maxConcurrency;
    private double _slow;

    /// <summary>Requests at a time, now.</summary>
    public int Concurrency => Math.Max(1, (int)_concurrency);

    /// <summary>The share of the budget's rates, now: 1 is all.</summary>
    public double Pace { get; private set; } = 1;

    public bool IsReduced => Pace < 1 || Concurrency < _most;

    /// <summary>Of the last time that it got less; null: never.</summary>
    public LoadCause? LastCause { get; private set; }

    public DateTimeOffset LastCutAt { get; private set; }

    public long CutsFor(LoadCause cause) => _cuts[(int)cause];

    /// <summary>Another budget: what is known of the upstream stays, and so does its share.</summary>
    public void Fit(int most)
    {
        _concurrency = Math.Max(1, _concurrency * most / _most);
        _most = most;
    }

    /// <summary>An answer came.</summary>
    /// <param name="shape">Of its request.</param>
    /// <param name="sentAt">A timestamp.</param>
    /// <returns>Whether something has changed.</returns>
    public bool Answered(RequestShape shape, long sentAt)
    {
        if (!shape.IsTimed)
            return false;
        var took = time.GetElapsedTime(sentAt);
        var expected = _times.Add(shape, took);
        if (expected > TimeSpan.Zero && took > NeverSlow && took > SlowFactor * expected)
            return ++_slow >= SlowAnswers && Cut(LoadCause.Slow, SlowCut, sentAt);
        _slow = Math.Max(0, _slow - 0.5);
        return Raise();
    }

    /// <summary>A request failed. A method may take long by itself: that it did says nothing.</summary>
    public bool Failed(RequestShape shape, StatusCode status, long sentAt) => CauseOf(status) is { } cause &&
        !(cause == LoadCause.Timeout && shape is { Class: RequestClass.Act, IsTimed: false }) &&
        Cut(cause, HardCut, sentAt);

    /// <summary>Null: no sign of load.</summary>
    internal static LoadCause? CauseOf(StatusCode status) => status.CodeBits switch
    {
        StatusCodes.BadTimeout or StatusCodes.BadRequestTimeout => LoadCause.Timeout,
        StatusCodes.BadTooManyOperations or StatusCodes.BadTooManyPublishRequests
            or StatusCodes.BadServerTooBusy or StatusCodes.BadTcpServerTooBusy
            or StatusCodes.BadTcpNotEnoughResources or StatusCodes.BadOutOfMemory
            or StatusCodes.BadResourceUnavailable => LoadCause.Refused,
        _ => null,
    };

    private bool Cut(LoadCause cause, double factor, long sentAt)
    {
        // Requests that were under way at the last cut say nothing about what it has brought.
        if (sentAt < _cut)
            return false;
        _cut = _changed = time.GetTimestamp();
        _slow = 0;
        _concurrency = Math.Max(1, _concurrency * factor);
        Pace = Math.Max(LeastPace, Pace * factor);
        (LastCause, LastCutAt) = (cause, time.GetUtcNow());
        _cuts[(int)cause]++;
        return true;
    }

    private bool Raise()
    {
        if (!IsReduced || time.GetElapsedTime(_changed) < StepPause)
            return false;
        _changed = time.GetTimestamp();
        _concurrency = Math.Min(_most, _concurrency + ConcurrencyStep);
        Pace = Math.Min(1, Pace + PaceStep);
        return true;
    }
}
