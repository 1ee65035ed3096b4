namespace Gateway.Admission.Load;

/// <summary>
/// The share of the private-key workers' time that handshakes may take: all of it while the plant's data is on time,
/// less as soon as it is not (additive increase, multiplicative decrease, once a window). Threads: any may observe.
/// </summary>
public sealed class AdaptiveConcurrency(TimeProvider time)
{
    public const double LeastShare = 0.05;

    private static readonly TimeSpan Window = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan Target = TimeSpan.FromMilliseconds(20);

    private readonly Lock _lock = new();
    private double _share = 1;
    private TimeSpan _worst;
    private long _windowStart = time.GetTimestamp();

    /// <summary>0.05 to 1.</summary>
    public double Share => Volatile.Read(ref _share);

    /// <summary>How late a sweep began, or how long a thread that was ready waited for a processor.</summary>
    public void Observe(TimeSpan delay)
    {
        lock (_lock)
        {
            if (delay > _worst)
                _worst = delay;
            var now = time.GetTimestamp();
            if (time.GetElapsedTime(_windowStart, now) < Window)
                return;
            _share = _worst > Target ? Math.Max(LeastShare, _share * 0.7) : Math.Min(1, _share + 0.05);
            _worst = TimeSpan.Zero;
            _windowStart = now;
        }
    }
}
