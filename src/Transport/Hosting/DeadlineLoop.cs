using Gateway.Admission.Door;
using Gateway.Transport.Http;

namespace Gateway.Transport.Hosting;

/// <summary>
/// One timer for the deadlines of all connections (R05, R28: monotonic). A wheel of eight slots turns once a period;
/// each turn looks at every connection once, an eighth of them a tick, so that arming or clearing a deadline is a
/// field write in the connection and costs nothing here. A deadline is noticed at most one period late: a tenth of the
/// shortest. Threads: any.
/// </summary>
internal sealed class DeadlineLoop : IDisposable
{
    private const int SlotCount = 8;

    private readonly Slot[] _slots = new Slot[SlotCount];
    private readonly TimeProvider _time;
    private readonly ConnectionDoor _door;
    private readonly TransportCounters _counters;
    private readonly ITimer _timer;
    private int _tick;
    private int _next;

    public DeadlineLoop(
        TransportLimits limits, HttpLimits http, TimeProvider time, ConnectionDoor door, TransportCounters counters)
    {
        (_time, _door, _counters) = (time, door, counters);
        for (var i = 0; i < SlotCount; i++)
            _slots[i] = new Slot();
        TickInterval = Shortest(limits, http) / (10 * SlotCount);
        if (TickInterval < TimeSpan.FromMilliseconds(5))
            TickInterval = TimeSpan.FromMilliseconds(5);
        _timer = time.CreateTimer(static self => ((DeadlineLoop)self!).Tick(), this, TickInterval, TickInterval);
    }

    public TimeSpan TickInterval { get; }

    public void Add(IDeadlineHolder holder)
    {
        var wheel = (int)((uint)Interlocked.Increment(ref _next) % SlotCount);
        var slot = _slots[wheel];
        lock (slot.Lock)
        {
            holder.Slot = new DeadlineSlot(wheel + 1, slot.Holders.Count);
            slot.Holders.Add(holder);
        }
    }

    /// <summary>Harmless when it is not there.</summary>
    public void Remove(IDeadlineHolder holder)
    {
        var wheel = holder.Slot.Wheel;
        if (wheel == 0)
            return;
        var slot = _slots[wheel - 1];
        lock (slot.Lock)
        {
            if (holder.Slot.Wheel == 0)
                return;
            var last = slot.Holders[^1];
            slot.Holders[holder.Slot.Index] = last;
            last.Slot = holder.Slot;
            slot.Holders.RemoveAt(slot.Holders.Count - 1);
            holder.Slot = default;
        }
    }

    public void Dispose() => _timer.Dispose();

    private static TimeSpan Shortest(TransportLimits limits, HttpLimits http)
    {
        TimeSpan[] deadlines =
        [
            limits.HelloDeadline, limits.OpenDeadline, limits.ChunkDeadline, limits.WriteDeadline,
            limits.InactivityTimeout, limits.MinTokenLifetime * 10, http.HttpHeaderDeadline, http.HttpKeepAliveTime,
        ];
        return deadlines.Min();
    }

    private void Tick()
    {
        var slot = _slots[(uint)Interlocked.Increment(ref _tick) % SlotCount];
        var now = _time.GetTimestamp();
        PumpDoor();
        lock (slot.Lock)
        {
            // A check never adds or removes: closing is handed to another thread.
            foreach (var holder in slot.Holders)
                Check(holder, now);
        }
    }

#pragma warning disable CA1031 // An error of a timer's callback ends the process (R40); the next tick looks again.
    /// <summary>A client that waits behind a transport that is not ours has no other clock.</summary>
    private void PumpDoor()
    {
        try
        {
            if (_door.Waiting > 0)
                _door.Pump();
        }
        catch (Exception error)
        {
            _counters.FaultContained(error);
        }
    }

    private void Check(IDeadlineHolder holder, long now)
    {
        try
        {
            holder.CheckDeadlines(now);
        }
        catch (Exception error)
        {
            _counters.FaultContained(error);
        }
    }
#pragma warning restore CA1031

    private sealed class Slot
    {
        public Lock Lock { get; } = new();

        public List<IDeadlineHolder> Holders { get; } = [];
    }
}
