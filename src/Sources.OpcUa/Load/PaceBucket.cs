namespace Gateway.Sources.OpcUa.Load;

/// <summary>
/// Amounts at a pace, and as many at once as a second brings. An amount that is larger than that goes when the bucket
/// is full, and those after it wait the longer: so the mean stays. Owner: <see cref="RequestGate"/>, under its lock.
/// </summary>
internal sealed class PaceBucket(TimeProvider time, double perSecond)
{
    private long _since = time.GetTimestamp();
    private double _perSecond = perSecond;
    private double _level = perSecond;

    public double PerSecond
    {
        get => _perSecond;
        set
        {
            Fill();
            _perSecond = value;
            _level = Math.Min(_level, AtOnce);
        }
    }

    /// <summary>At least one request a time, however slow.</summary>
    private double AtOnce => Math.Max(1, _perSecond);

    /// <summary>Zero: now.</summary>
    public TimeSpan WaitFor(double amount)
    {
        if (amount <= 0)
            return TimeSpan.Zero;
        Fill();
        var missing = Math.Min(amount, AtOnce) - _level;
        // A timer counts whole milliseconds; a rest below one is the arithmetic's.
        return missing <= 1e-9 ? TimeSpan.Zero : TimeSpan.FromMilliseconds(Math.Ceiling(missing * 1000 / _perSecond));
    }

    public void Take(double amount) => _level -= amount;

    private void Fill()
    {
        var now = time.GetTimestamp();
        _level = Math.Min(AtOnce, _level + (time.GetElapsedTime(_since, now).TotalSeconds * _perSecond));
        _since = now;
    }
}
