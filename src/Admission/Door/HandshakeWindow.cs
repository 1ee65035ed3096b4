using Gateway.Admission.Load;

namespace Gateway.Admission.Door;

/// <summary>
/// How many handshakes are under way. Its size follows the measured rate, so that who is let in is served in the target
/// time; a place that its peer does not use lapses, so that silent peers never hold others up. Threads: any; its lock
/// is a leaf.
/// </summary>
public sealed class HandshakeWindow(AdmissionLimits limits, TimeProvider time, HandshakeRate rate)
{
    private const int LeastSize = 64;

    private readonly Lock _lock = new();
    private readonly Queue<HandshakeLease> _silent = new();
    private int _used;

    public int Size => Math.Max(LeastSize, (int)(rate.PerSecond * limits.TargetHandshakeWait.TotalSeconds));

    public int Used
    {
        get
        {
            lock (_lock)
            {
                LapseUnderLock();
                return _used;
            }
        }
    }

    public bool HasRoom => Used < Size;

    internal HandshakeLease Take()
    {
        lock (_lock)
        {
            var lease = new HandshakeLease { IsHeld = true, Since = time.GetTimestamp() };
            _silent.Enqueue(lease);
            _used++;
            return lease;
        }
    }

    internal void Renew(HandshakeLease lease)
    {
        lock (_lock)
        {
            if (!lease.IsHeld)
                _used++;
            lease.IsHeld = lease.IsWorking = true;
        }
    }

    internal void End(HandshakeLease lease)
    {
        lock (_lock)
        {
            if (lease.IsHeld)
                _used--;
            lease.IsHeld = false;
        }
    }

    private void LapseUnderLock()
    {
        while (_silent.TryPeek(out var lease) &&
            (!lease.IsHeld || lease.IsWorking || time.GetElapsedTime(lease.Since) > limits.SilentLease))
        {
            _silent.Dequeue();
            if (!lease.IsHeld || lease.IsWorking)
                continue;
            lease.IsHeld = false;
            _used--;
        }
    }
}
