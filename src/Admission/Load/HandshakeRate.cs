namespace Gateway.Admission.Load;

/// <summary>
/// Handshakes a second that the private keys serve. Measured only over times in which work waited, so that neither slow
/// clients nor idleness make it small; and as if the adaptive law gave all of the workers' time, so that it need not be
/// learned again when the law gives more. Threads: any; its lock is a leaf.
/// </summary>
public sealed class HandshakeRate(TimeProvider time, double initialPerSecond, AdaptiveConcurrency concurrency)
{
    private const double MinSeconds = 0.5;
    private const double MinPerSecond = 5;
    private const double LeastSustainedShare = 0.5;

    /// <summary>The first samples are averaged and replace the guess; later ones weigh a quarter.</summary>
    private const double LeastGain = 0.25;

    /// <summary>Private-key operations of a handshake: OPN decrypts and signs, CreateSession signs, and the rest of its
    /// work is worth about one more.</summary>
    private const double OperationsPerHandshake = 4;

    private readonly Lock _lock = new();
    private double _full = Math.Max(MinPerSecond, initialPerSecond);
    private int _samples;
    private bool _wasBusy;
    private long _last = time.GetTimestamp();
    private int _served;
    private double _busySeconds;
    private double _givenSeconds;
    private long _peakStart = time.GetTimestamp();
    private int _peakServed;

    /// <summary>Now.</summary>
    public double PerSecond => Math.Max(MinPerSecond, Full * concurrency.Share);

    /// <summary>Over some seconds: the rate at which a backlog is worked off. The law's share counts for a half at
    /// least: a client that comes back too early waits for little, and keys that are idle again while clients sit out a
    /// hint cost all.
    /// </summary>
    public double Sustained =>
        Math.Max(MinPerSecond, Full * Math.Max(LeastSustainedShare, concurrency.SustainedShare));

    /// <summary>If the law gave all of the workers' time.</summary>
    public double Full => Volatile.Read(ref _full);

    /// <summary>A first guess from one timed operation.</summary>
    public static double Guess(TimeSpan privateKeyOperation, int workers) =>
        workers / (OperationsPerHandshake * Math.Max(1e-6, privateKeyOperation.TotalSeconds));

    /// <summary>An OPN was served.</summary>
    /// <param name="isBusy">Others wait: until the next is served, the rate is the lane's and not the clients'.</param>
    public void Completed(bool isBusy)
    {
        var share = concurrency.Share;
        lock (_lock)
        {
            var now = time.GetTimestamp();
            if (_wasBusy)
            {
                var seconds = time.GetElapsedTime(_last, now).TotalSeconds;
                _served++;
                _busySeconds += seconds;
                _givenSeconds += seconds * share;
            }

            _wasBusy = isBusy;
            _last = now;
            if (_busySeconds >= MinSeconds)
                SampleUnderLock();
            PeakUnderLock(now);
        }
    }

    private void SampleUnderLock()
    {
        var sample = _served / _givenSeconds;
        if (++_samples > 3)
            sample = Math.Clamp(sample, _full / 4, _full * 4);
        var gain = Math.Max(LeastGain, 1.0 / _samples);
        Volatile.Write(ref _full, Math.Max(MinPerSecond, _full + (gain * (sample - _full))));
        (_served, _busySeconds, _givenSeconds) = (0, 0, 0);
    }

    /// <summary>A rate reached while no handshake had to wait is a rate that the keys can serve.</summary>
    private void PeakUnderLock(long now)
    {
        _peakServed++;
        var seconds = time.GetElapsedTime(_peakStart, now).TotalSeconds;
        if (seconds < 2 * MinSeconds)
            return;
        if (_peakServed / seconds > _full)
            Volatile.Write(ref _full, _peakServed / seconds);
        (_peakStart, _peakServed) = (now, 0);
    }
}
