namespace Gateway.Loadtest.Checks;

/// <summary>Lateness by the second of a run, at most an hour. Threads: any add.</summary>
internal sealed class LatenessSeries
{
    private const int MaxSeconds = 3600;

    private readonly Lock _lock = new();
    private readonly List<Histogram> _seconds = [];
    private double _startMs = double.PositiveInfinity;

    /// <summary>Of the whole run.</summary>
    public Histogram All { get; } = new();

    /// <summary>From now on; earlier values are forgotten.</summary>
    /// <param name="nowMs">Of the monotonic clock.</param>
    public void Start(double nowMs)
    {
        lock (_lock)
        {
            _startMs = nowMs;
            _seconds.Clear();
            All.Clear();
        }
    }

    public void Add(double nowMs, double lateMs)
    {
        Histogram histogram;
        lock (_lock)
        {
            if (!(nowMs >= _startMs))
                return;
            var index = Math.Min((int)((nowMs - _startMs) / 1000), MaxSeconds - 1);
            while (_seconds.Count <= index)
                _seconds.Add(new Histogram());
            histogram = _seconds[index];
        }

        histogram.Add(lateMs);
        All.Add(lateMs);
    }

    /// <returns>One histogram a second; a second without a message has an empty one.</returns>
    public Histogram[] Seconds()
    {
        lock (_lock)
            return [.. _seconds];
    }
}
