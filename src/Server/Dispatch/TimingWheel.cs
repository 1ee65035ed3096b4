using Gateway.Transport.Hosting;
using Microsoft.Extensions.Logging;

namespace Gateway.Server.Dispatch;

/// <summary>
/// Deadlines of sessions and waiting requests on monotonic time (R28): a ring of slots, each a linked list; scheduling
/// and cancelling are O(1), a tick walks one slot. One timer for all. Thread-safe; its lock is a leaf.
/// </summary>
internal sealed partial class TimingWheel : IDisposable
{
    private const int SlotCount = 1024;
    private static readonly TimeSpan TickLength = TimeSpan.FromMilliseconds(100);

    private readonly TimeProvider _clock;
    private readonly ILogger _logger;
    private readonly Action<Exception> _onFailed;
    private readonly Lock _lock = new();
    private readonly WheelEntry?[] _slots = new WheelEntry?[SlotCount];
    private readonly long _start;
    private readonly ITimer _timer;
    private long _currentTick;

    public TimingWheel(TimeProvider clock, ILogger logger)
    {
        _clock = clock;
        _logger = logger;
        _onFailed = LogDueFailed;
        _start = clock.GetTimestamp();
        _timer = clock.CreateTimer(static wheel => ((TimingWheel)wheel!).Advance(), this, TickLength, TickLength);
    }

    /// <summary>(Re)schedules; never early, late by up to a tick.</summary>
    public void Schedule(WheelEntry entry, TimeSpan delay)
    {
        lock (_lock)
        {
            UnlinkUnderLock(entry);
            var due = (Elapsed() + delay).Ticks / TickLength.Ticks + 1;
            entry.DueTick = Math.Max(due, _currentTick + 1);
            LinkUnderLock(entry);
        }
    }

    public void Cancel(WheelEntry entry)
    {
        lock (_lock)
            UnlinkUnderLock(entry);
    }

    public void Dispose() => _timer.Dispose();

    private TimeSpan Elapsed() => _clock.GetElapsedTime(_start);

    private void Advance()
    {
        List<WheelEntry>? due = null;
        lock (_lock)
        {
            var now = Elapsed().Ticks / TickLength.Ticks;
            var steps = Math.Min(now - _currentTick, SlotCount);
            for (var step = 1; step <= steps; step++)
                CollectUnderLock((int)((_currentTick + step) % SlotCount), now, ref due);
            _currentTick = Math.Max(_currentTick, now);
        }

        foreach (var entry in due ?? [])
            Fire(entry);
    }

    private void Fire(WheelEntry entry)
    {
        try
        {
            entry.OnDue();
        }
#pragma warning disable CA1031 // a fault of one entry must not end the process or the others' deadlines
        catch (Exception exception)
#pragma warning restore CA1031
        {
            Contained.Report(exception, _onFailed);
        }
    }

    private void CollectUnderLock(int slot, long now, ref List<WheelEntry>? due)
    {
        var entry = _slots[slot];
        while (entry is not null)
        {
            var next = entry.Next;
            if (entry.DueTick <= now)
            {
                (due ??= []).Add(entry);
                UnlinkUnderLock(entry);
            }

            entry = next;
        }
    }

    private void LinkUnderLock(WheelEntry entry)
    {
        entry.Slot = (int)(entry.DueTick % SlotCount);
        entry.Previous = null;
        entry.Next = _slots[entry.Slot];
        if (entry.Next is not null)
            entry.Next.Previous = entry;
        _slots[entry.Slot] = entry;
    }

    private void UnlinkUnderLock(WheelEntry entry)
    {
        if (entry.Slot < 0)
            return;
        if (entry.Previous is null)
            _slots[entry.Slot] = entry.Next;
        else
            entry.Previous.Next = entry.Next;
        if (entry.Next is not null)
            entry.Next.Previous = entry.Previous;
        entry.Next = null;
        entry.Previous = null;
        entry.Slot = -1;
    }
}
