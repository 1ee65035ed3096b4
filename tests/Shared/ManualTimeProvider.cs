namespace Gateway.Testing;

/// <summary>Time that stands still until a test moves it. Timers fire while it is moved, in the order of their
/// due times, on the caller's thread. The wall clock can be moved apart from the monotonic one.</summary>
public sealed class ManualTimeProvider : TimeProvider
{
    private readonly Lock _lock = new();
    private readonly List<ManualTimer> _timers = [];
    private TimeSpan _elapsed;
    private DateTimeOffset _wallClock = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override TimeZoneInfo LocalTimeZone => Zone;

    public TimeZoneInfo Zone { get; set; } = TimeZoneInfo.Utc;

    public TimeSpan Elapsed
    {
        get
        {
            lock (_lock)
                return _elapsed;
        }
    }

    /// <summary>That have not fired, or fire again.</summary>
    public int Timers
    {
        get
        {
            lock (_lock)
                return _timers.Count;
        }
    }

    public override long GetTimestamp() => Elapsed.Ticks;

    public override DateTimeOffset GetUtcNow()
    {
        lock (_lock)
            return _wallClock;
    }

    /// <summary>A wall clock that jumps; the monotonic one does not notice (R28).</summary>
    public void MoveWallClock(TimeSpan by)
    {
        lock (_lock)
            _wallClock += by;
    }

    public void Advance(double milliseconds) => Advance(TimeSpan.FromMilliseconds(milliseconds));

    public void Advance(TimeSpan by)
    {
        var end = Elapsed + by;
        while (NextUntil(end) is { } timer)
            timer.Fire();
        lock (_lock)
            MoveUnderLock(end);
    }

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new ManualTimer(this, callback, state);
        timer.Change(dueTime, period);
        return timer;
    }

    private ManualTimer? NextUntil(TimeSpan end)
    {
        lock (_lock)
        {
            var next = _timers.Where(timer => timer.Due <= end).MinBy(timer => timer.Due);
            if (next is null)
                return null;
            MoveUnderLock(next.Due);
            next.Due = next.Period > TimeSpan.Zero ? next.Due + next.Period : TimeSpan.MaxValue;
            if (next.Due == TimeSpan.MaxValue)
                _timers.Remove(next);
            return next;
        }
    }

    private void MoveUnderLock(TimeSpan to)
    {
        if (to <= _elapsed)
            return;
        _wallClock += to - _elapsed;
        _elapsed = to;
    }

    private sealed class ManualTimer(ManualTimeProvider time, TimerCallback callback, object? state) : ITimer
    {
        public TimeSpan Due { get; set; }

        public TimeSpan Period { get; private set; }

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            lock (time._lock)
            {
                time._timers.Remove(this);
                Period = period;
                if (dueTime == Timeout.InfiniteTimeSpan)
                    return true;
                Due = time._elapsed + dueTime;
                time._timers.Add(this);
            }

            return true;
        }

        public void Fire() => callback(state);

        public void Dispose()
        {
            lock (time._lock)
                time._timers.Remove(this);
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
