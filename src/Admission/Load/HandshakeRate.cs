namespace Gateway.Admission.Load;

/// <summary>Handshakes a second that the private keys serve when they are busy, as measured. Threads: any.</summary>
public sealed class HandshakeRate(TimeProvider time, double initialPerSecond)
{
    private readonly Lock _lock = new();
    private double _perSecond = initialPerSecond;
    private long _windowStart = time.GetTimestamp();
    private int _inWindow;

    public double PerSecond => Volatile.Read(ref _perSecond);

    /// <summary>An OPN was served.</summary>
    /// <param name="isBusy">Others wait: the rate is the lane's and not the clients'.</param>
    public void Completed(bool isBusy)
    {
        lock (_lock)
        {
            _inWindow++;
            var now = time.GetTimestamp();
            var elapsed = time.GetElapsedTime(_windowStart, now).TotalSeconds;
            if (elapsed < 0.5)
                return;
            var rate = _inWindow / elapsed;
            if (isBusy)
                _perSecond = (0.7 * _perSecond) + (0.3 * rate);
            else if (rate > _perSecond)
                _perSecond = rate;
            _windowStart = now;
            _inWindow = 0;
        }
    }
}
