namespace Gateway.Admission.Load;

/// <summary>
/// When refused clients are told to come back: spread evenly (golden-ratio sequence) over the time that those who were
/// refused and have not come yet really need at the measured rate. Threads: any.
/// </summary>
public sealed class RetrySchedule(TimeProvider time, HandshakeRate rate, TimeSpan longest)
{
    private const double MinMs = 500;
    private const double GoldenRatio = 0.6180339887498949;

    private readonly Lock _lock = new();
    private double _outstanding;
    private double _sequence;
    private long _lastRefusal;

    /// <param name="waiting">Who is ahead of all that are refused.</param>
    public int Next(int waiting)
    {
        lock (_lock)
        {
            var now = time.GetTimestamp();
            if (time.GetElapsedTime(_lastRefusal, now) > longest)
                _outstanding = 0;
            _lastRefusal = now;
            _outstanding++;
            _sequence = (_sequence + GoldenRatio) % 1;
            var perSecond = Math.Max(1, rate.PerSecond);
            var horizon = Math.Clamp(1000 * _outstanding / perSecond, MinMs, longest.TotalMilliseconds);
            var delay = MinMs + (1000 * waiting / perSecond) + (_sequence * horizon);
            return (int)Math.Min(delay, longest.TotalMilliseconds);
        }
    }

    /// <summary>A connection has come: perhaps one that was told to.</summary>
    public void Arrived()
    {
        lock (_lock)
            _outstanding = Math.Max(0, _outstanding - 1);
    }
}
