namespace Gateway.Transport.Timing;

/// <summary>
/// A <see cref="TimingWheel"/> with a lock and one timer of its own, for entries of many owners. Scheduling and
/// cancelling are O(1). An entry's fault ends neither the process nor the others' deadlines. Threads: any; its lock is
/// a leaf, and entries are called outside of it, one after the other.
/// </summary>
public sealed class WheelTimer : IDisposable
{
    /// <summary>Entries of one turn that room is kept for.</summary>
    private const int MostKept = 4096;

    private readonly MonotonicClock _clock;
    private readonly Action<Exception> _onFault;
    private readonly TimingWheel _wheel;
    private readonly List<TimerEntry> _due = [];
    private readonly Lock _lock = new();
    private readonly Lock _turn = new();
    private readonly ITimer _timer;

    /// <param name="time">Monotonic (R28).</param>
    /// <param name="resolution">How late an entry may be called.</param>
    /// <param name="slots">A multiple of 64.</param>
    /// <param name="onFault">Told when an entry threw; made beforehand.</param>
    public WheelTimer(TimeProvider time, TimeSpan resolution, int slots, Action<Exception> onFault)
    {
        _clock = new MonotonicClock(time);
        _onFault = onFault;
        _wheel = new TimingWheel(_clock.Now, resolution.Ticks, slots);
        _timer = time.CreateTimer(static timer => ((WheelTimer)timer!).Turn(), this, resolution, resolution);
    }

    /// <summary>Moves the entry to that time from now; <see cref="TimeSpan.MaxValue"/> is never.</summary>
    public void Schedule(TimerEntry entry, TimeSpan delay)
    {
        lock (_lock)
        {
            var now = _clock.Now;
            MoveUnderLock(entry, delay.Ticks < long.MaxValue - now ? now + delay.Ticks : long.MaxValue);
        }
    }

    /// <summary>Moves the entry to an earlier time; does nothing where it is due earlier anyway.</summary>
    /// <param name="entry">Of this timer.</param>
    /// <param name="timestamp">Of the TimeProvider.</param>
    public void ScheduleEarlier(TimerEntry entry, long timestamp)
    {
        var due = _clock.At(timestamp);
        lock (_lock)
        {
            if (!entry.IsScheduled || due < entry.Due)
                MoveUnderLock(entry, due);
        }
    }

    /// <summary>Does nothing for an entry that is not scheduled.</summary>
    public void Cancel(TimerEntry entry)
    {
        lock (_lock)
            _wheel.Remove(entry);
    }

    public void Dispose() => _timer.Dispose();

    private void MoveUnderLock(TimerEntry entry, long due)
    {
        _wheel.Remove(entry);
        entry.Due = due;
        _wheel.Add(entry);
    }

    private void Turn()
    {
        // A turn that outlasts the period must not meet the next one: the later one leaves its entries to it.
        if (!_turn.TryEnter())
            return;
        try
        {
            var now = _clock.Now;
            Collect(now);
            foreach (var entry in _due)
                Fire(entry, now);
        }
        finally
        {
            _due.Clear();
            if (_due.Capacity > MostKept)
                _due.Capacity = 0;
            _turn.Exit();
        }
    }

#pragma warning disable CA1031 // Nothing may leave the timer's thread, because that would end the process (R40).
    private void Collect(long now)
    {
        try
        {
            lock (_lock)
                _wheel.Advance(now, _due);
        }
        catch (Exception error)
        {
            Contained.Report(error, _onFault);
        }
    }

    private void Fire(TimerEntry entry, long now)
    {
        try
        {
            entry.OnDue(now);
        }
        catch (Exception error)
        {
            Contained.Report(error, _onFault);
        }
    }
#pragma warning restore CA1031
}
