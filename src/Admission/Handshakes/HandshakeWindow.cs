using Gateway.Admission.Lanes;
using Gateway.Admission.Load;

namespace Gateway.Admission.Handshakes;

/// <summary>
/// How many handshakes are under way. Its size follows the measured rate, so that admitted peers are served in the
/// target time; a place that its peer does not use lapses, so that silent peers never hold others up. While known
/// clients go first, strangers wait in the lane behind them: they count only by as much as strangers are being served,
/// or known ones at the door would wait behind them after all. Threads: any; its lock is a leaf.
/// </summary>
public sealed class HandshakeWindow(AdmissionLimits limits, TimeProvider time, HandshakeRate rate)
{
    private const int LeastSize = 64;
    private const double Gain = 0.01;

    private readonly Lock _lock = new();
    private AgeList<HandshakeLease> _silent;
    private int _used;
    private int _strangers;

    /// <summary>Of those served lately.</summary>
    private double _knownShare;

    public int Size => Math.Max(LeastSize, (int)(rate.PerSecond * limits.TargetHandshakeWait.TotalSeconds));

    public int Used
    {
        get
        {
            lock (_lock)
            {
                LapseUnderLock(time.GetTimestamp());
                return _used - (int)(_strangers * _knownShare);
            }
        }
    }

    public bool HasRoom => Used < Size;

    /// <summary>Whether there is room or not.</summary>
    internal void Take(HandshakeLease lease)
    {
        lock (_lock)
        {
            if (lease.State != LeaseState.Free)
                return;
            lease.State = LeaseState.Silent;
            lease.Since = time.GetTimestamp();
            _silent.Add(lease);
            _used++;
        }
    }

    internal void Renew(HandshakeLease lease)
    {
        lock (_lock)
        {
            if (lease.State == LeaseState.Closed)
                return;
            FreeUnderLock(lease);
            lease.State = LeaseState.Working;
            _used++;
        }
    }

    /// <summary>Its OPN waits, and behind known ones.</summary>
    internal void MarkStranger(HandshakeLease lease)
    {
        lock (_lock)
        {
            if (lease.IsStranger || lease.State != LeaseState.Working)
                return;
            lease.IsStranger = true;
            _strangers++;
        }
    }

    internal void Served(HandshakeLease lease)
    {
        lock (_lock)
            _knownShare += Gain * ((lease.IsStranger ? 0 : 1) - _knownShare);
    }

    internal void End(HandshakeLease lease)
    {
        lock (_lock)
            FreeUnderLock(lease);
    }

    internal void Close(HandshakeLease lease)
    {
        lock (_lock)
        {
            FreeUnderLock(lease);
            lease.State = LeaseState.Closed;
        }
    }

    private void LapseUnderLock(long now)
    {
        while (_silent.Oldest is { } lease && time.GetElapsedTime(lease.Since, now) > limits.SilentLease)
            FreeUnderLock(lease);
    }

    private void FreeUnderLock(HandshakeLease lease)
    {
        if (lease.State is not (LeaseState.Silent or LeaseState.Working))
            return;
        if (lease.State == LeaseState.Silent)
            _silent.Remove(lease);
        lease.State = LeaseState.Free;
        _used--;
        if (lease.IsStranger)
            _strangers--;
        lease.IsStranger = false;
    }
}
