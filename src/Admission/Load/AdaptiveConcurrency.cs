namespace Gateway.Admission.Load;

/// <summary>
/// The share of the private-key workers' time that handshakes may take: all of it while the plant's data is on time,
/// less as soon as it is not. Every window it is either cut, by how late it is, or grows by a part of itself: the more,
/// the less late it is; a tenth of that near to where it was cut last; and more again the longer nothing happens. It is
/// not cut again before a cut can be seen, nor while lateness falls. Lateness that also occurs beside the least share
/// is not the handshakes' doing (a host that takes the processors away, a neighbour): half more than that is allowed.
/// Since handshakes could then hold that lateness up themselves, every 15 s they go back to the least share for two
/// seconds, to see it again. Threads: any may observe; its lock is a leaf.
/// </summary>
public sealed class AdaptiveConcurrency(TimeProvider time)
{
    public const double LeastShare = 0.05;

    /// <summary>Seconds between two steps.</summary>
    private const double Window = 0.05;
    private const double TargetSeconds = 0.02;

    /// <summary>Seconds that a cut takes to be seen.</summary>
    private const double Settling = 0.2;
    private const double MostCut = 0.4;
    private const double LeastCut = 0.8;
    private const double NotFalling = 0.95;

    /// <summary>Of itself a window, where nothing is late.</summary>
    private const double Growth = 0.08;
    private const double LeastGrowth = 0.001;
    private const double NearCeiling = 0.9;
    private const double NearFactor = 0.1;
    private const int CalmWindows = 40;
    private const double CalmFactor = 1.1;

    /// <summary>Without any observation for so long, nothing is late: the share grows by half a second.</summary>
    private const double SilentSeconds = 1;
    private const double SilentGrowthPerSecond = 0.5;
    private const double SustainedSeconds = 4;

    /// <summary>At so small a share, lateness seen twice for so long has another cause than the handshakes.</summary>
    private const double LowShare = 0.06;
    private const double LowSeconds = 1;
    private const double Falling = 0.9;
    private const double BackgroundFactor = 1.5;
    private const double MostBackground = 0.2;

    /// <summary>Within which a moment's lateness is forgotten.</summary>
    private const double RecentSeconds = 2;

    /// <summary>The time between two measurements of the lateness without handshakes.</summary>
    private const double LookSeconds = 15;

    private readonly Lock _lock = new();
    private double _share = 1;
    private double _sustained = 1;
    private double _ceiling = 1;
    private double _worst;
    private double _worstBefore;
    private double _worstAtCut;
    private double _recent;
    private double _low;
    private double _lowBefore;
    private double _background;
    private double _lowSeconds;
    private double _shareBeforeLook;
    private long _foundAt;
    private int _calm;
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
            NoteBackgroundUnderLock(now, elapsed);
            if (_worst > Target)
                CutUnderLock(now);
            else if (!IsSettlingUnderLock(now))
                GrowUnderLock(Math.Min(4, elapsed / Window));
            (_worstBefore, _worst) = (_worst, 0);
            _windowStart = now;
        }
    }

    private double Target => Math.Max(TargetSeconds, BackgroundFactor * _background);

    /// <summary>Beside a larger share it is at most the present lateness.</summary>
    private void NoteBackgroundUnderLock(long now, double elapsed)
    {
        _recent = Math.Max(_worst, _recent * Math.Exp(-elapsed / RecentSeconds));
        if (Target > TargetSeconds && _share > LowShare && Seconds(_foundAt, now) > LookSeconds)
        {
            LookAgainUnderLock(now);
        }
        else if (_share <= LowShare)
        {
            _lowSeconds += elapsed;
            _low = Math.Max(_low, _worst);
            if (_lowSeconds > LowSeconds)
                FindBackgroundUnderLock(now);
        }
        else
        {
            _lowSeconds = _low = _lowBefore = _shareBeforeLook = 0;
            if (_share > 2 * LowShare)
                _background = Math.Min(_recent, _background);
        }
    }

    /// <summary>Handshakes under way still count for the first stretch; the smaller share is taken.</summary>
    private void LookAgainUnderLock(long now)
    {
        (_shareBeforeLook, _share, _background) = (_share, LeastShare, 0);
        (_lowSeconds, _low, _lowBefore) = (0, 0, 0);
        (_lastCut, _worstAtCut) = (now, _worst);
    }

    /// <summary>Late in two stretches, one behind the other, and not less in the second: neither a pause nor the work
    /// that it left. Where that is more than was known, handshakes were cut for nothing.</summary>
    private void FindBackgroundUnderLock(long now)
    {
        var before = Target;
        var isFalling = _low < Falling * _lowBefore;
        _background = Math.Min(isFalling ? _background : MostBackground, Math.Min(_low, _lowBefore));
        if (Target > before)
        {
            _ceiling = 1;
            _share = Math.Max(_share, _shareBeforeLook);
            (_shareBeforeLook, _foundAt) = (0, now);
        }

        (_lowSeconds, _low, _lowBefore) = (0, 0, _low);
    }

    private bool IsSettlingUnderLock(long now) =>
        _lastCut != long.MinValue && Seconds(_lastCut, now) < Settling;

    private void CutUnderLock(long now)
    {
        _calm = 0;

        // Within the settling time only where it got much worse than the lateness that was answered already.
        if (IsSettlingUnderLock(now) ? _worst < 2 * _worstAtCut : _worst <= NotFalling * _worstBefore)
            return;
        _ceiling = _share;
        _share = Math.Max(LeastShare, _share * Math.Clamp(Target / _worst, MostCut, LeastCut));
        _worstAtCut = _worst;
        _lastCut = now;
    }

    private void GrowUnderLock(double windows)
    {
        _calm++;
        var room = 1 - (_worst / Target);
        var growth = _share < NearCeiling * _ceiling ? Growth : Growth * NearFactor;
        if (_calm > CalmWindows)
            growth = Math.Min(Growth, growth * Math.Pow(CalmFactor, _calm - CalmWindows));
        _share = Math.Min(1, _share + (((_share * growth) + LeastGrowth) * room * windows));
        _ceiling = Math.Max(_ceiling, _share);
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
