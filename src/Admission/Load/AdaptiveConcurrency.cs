namespace Gateway.Admission.Load;

/// <summary>
/// The share of the private-key workers' time that handshakes may take: all of it while the plant's data is on time,
/// less as soon as it is not. Multiplicative decrease by how late it is, at most once in the time that its effect takes
/// to be seen; increase that is quick far below the share at which it was late last, slow near to it, and quicker again
/// the longer nothing happens beyond it. Threads: any may observe; its lock is a leaf.
/// </summary>
public sealed class AdaptiveConcurrency(TimeProvider time)
{
    public const double LeastShare = 0.05;

    /// <summary>Seconds between two steps.</summary>
    private const double Window = 0.05;
    private const double TargetSeconds = 0.02;

    /// <summary>Seconds that a decrease takes to be seen.</summary>
    private const double Settling = 0.15;
    private const double MostCut = 0.4;
    private const double LeastCut = 0.8;

    /// <summary>Of what is missing to the last ceiling, a step.</summary>
    private const double Approach = 0.1;
    private const double LeastStep = 0.002;
    private const double MostStep = 0.05;
    private const double ProbeGrowth = 1.2;

    /// <summary>Without anything observed for so long, nobody is late: the share grows by half a second.</summary>
    private const double SilentSeconds = 1;
    private const double SilentGrowthPerSecond = 0.5;
    private const double SustainedSeconds = 4;

    private readonly Lock _lock = new();
    private double _share = 1;
    private double _sustained = 1;
    private double _ceiling = 1;
    private double _probe = LeastStep;
    private double _worst;
    private double _worstAtCut;
    private long _windowStart = time.GetTimestamp();
    private long _lastCut = long.MinValue;

    /// <summary>0.05 to 1.</summary>
    public double Share
    {
        get
        {
            lock (_lock)
                return ShareUnderLock(time.GetTimestamp());
        }
    }

    /// <summary>Its mean over some seconds.</summary>
    public double SustainedShare
    {
        get
        {
            lock (_lock)
                return SustainedUnderLock(time.GetTimestamp());
        }
    }

    /// <summary>How late a sweep began, or how long a thread that was ready waited for a processor.</summary>
    public void Observe(TimeSpan delay)
    {
        lock (_lock)
        {
            _worst = Math.Max(_worst, delay.TotalSeconds);
            var now = time.GetTimestamp();
            var elapsed = Seconds(_windowStart, now);
            if (elapsed < Window)
                return;
            _sustained = SustainedUnderLock(now);
            _share = ShareUnderLock(now);
            if (_worst > TargetSeconds)
                CutUnderLock(now);
            else
                GrowUnderLock(Math.Min(4, elapsed / Window));
            _worst = 0;
            _windowStart = now;
        }
    }

    /// <summary>Again within the settling time only where it got much worse than what was answered already.</summary>
    private void CutUnderLock(long now)
    {
        if (_lastCut != long.MinValue && Seconds(_lastCut, now) < Settling && _worst < 2 * _worstAtCut)
            return;
        _ceiling = _share;
        _share = Math.Max(LeastShare, _share * Math.Clamp(TargetSeconds / _worst, MostCut, LeastCut));
        _probe = LeastStep;
        _worstAtCut = _worst;
        _lastCut = now;
    }

    private void GrowUnderLock(double windows)
    {
        double step;
        if (_share < _ceiling)
        {
            step = Math.Clamp(Approach * (_ceiling - _share), LeastStep, MostStep);
        }
        else
        {
            _probe = Math.Min(MostStep, _probe * ProbeGrowth);
            step = _probe;
        }

        _share = Math.Min(1, _share + (step * windows));
    }

    private double ShareUnderLock(long now)
    {
        var silent = Seconds(_windowStart, now) - SilentSeconds;
        return silent > 0 ? Math.Min(1, _share + (silent * SilentGrowthPerSecond)) : _share;
    }

    private double SustainedUnderLock(long now)
    {
        var share = ShareUnderLock(now);
        return _sustained + ((share - _sustained) * (1 - Math.Exp(-Seconds(_windowStart, now) / SustainedSeconds)));
    }

    private double Seconds(long from, long to) => time.GetElapsedTime(from, to).TotalSeconds;
}
