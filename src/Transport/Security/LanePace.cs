namespace Gateway.Transport.Security;

/// <summary>
/// How much of the workers' time the lane may use: a credit of working time that fills with workers × share, is charged
/// a guess when work begins and the truth when it ends. Where d was worked, the workers together rest d × (1 / share −
/// 1) a worker; at share 1 no worker ever rests. Under the lane's lock.
/// </summary>
internal sealed class LanePace(Func<double> allowed, TimeProvider time, int workers)
{
    /// <summary>Time not used is not saved up: a pause must not be followed by a burst.</summary>
    private const double MaxCreditSeconds = 0.002;
    private const double MaxRestSeconds = 0.25;

    /// <summary>Longer work was not work but waiting: for the end of a garbage collection, or for a
    /// processor.</summary>
    private const double MaxChargeSeconds = 0.01;
    private const double GuessGain = 0.1;

    private double _credit;
    private double _guess = 0.002;
    private long _filledAt = time.GetTimestamp();

    /// <summary>Zero: the next piece of work may begin.</summary>
    public TimeSpan Rest()
    {
        var share = Fill();
        if (share >= 1 || _credit > 0)
            return TimeSpan.Zero;
        return TimeSpan.FromSeconds(Math.Min(MaxRestSeconds, (1e-6 - _credit) / (workers * share)));
    }

    public void Began() => _credit -= _guess;

    public void Ended(TimeSpan worked)
    {
        var seconds = Math.Min(MaxChargeSeconds, worked.TotalSeconds);
        _credit += _guess - seconds;
        _guess += GuessGain * (seconds - _guess);
    }

    private double Fill()
    {
        var share = allowed();
        var now = time.GetTimestamp();
        var elapsed = time.GetElapsedTime(_filledAt, now).TotalSeconds;
        _filledAt = now;
        _credit = share >= 1 ? MaxCreditSeconds : Math.Min(MaxCreditSeconds, _credit + (elapsed * workers * share));
        return share;
    }
}
