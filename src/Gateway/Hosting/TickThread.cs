namespace Gateway.Host.Hosting;

/// <summary>
/// A periodic timer that is a thread. Ticks fall on an absolute grid; those that fell due while one was at work are
/// left out. They never overlap. As with the runtime's timers, an error of the callback ends the process. A period of
/// at most a millisecond asks for precision: the last part of a millisecond is slept as it is, while all others round
/// it up, which is one wake-up instead of two. Threads: any; after <see cref="DisposeAsync"/> is done no tick runs.
/// </summary>
internal sealed class TickThread : ITimer
{
    private static readonly TimeSpan Millisecond = TimeSpan.FromMilliseconds(1);

    /// <summary>More than a wait for an event comes too late.</summary>
    private static readonly TimeSpan ShortlyBefore = 2 * Millisecond;

    private readonly TimeProvider _time;
    private readonly TimerCallback _callback;
    private readonly object? _state;
    private readonly Lock _lock = new();
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
#pragma warning disable CA2213 // The thread disposes it: it waits on it to the last.
    private readonly AutoResetEvent _bell = new(false);
#pragma warning restore CA2213
    private readonly long _start;
    private TimeSpan _due;
    private TimeSpan _period;
    private bool _stopped;

    public TickThread(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period, TimeProvider time)
    {
        (_callback, _state, _time) = (callback, state, time);
        _start = time.GetTimestamp();
        SetUnderLock(dueTime, period);
        new Thread(Run) { IsBackground = true, Name = "tick" }.Start();
    }

    private TimeSpan Now => _time.GetElapsedTime(_start);

    public bool Change(TimeSpan dueTime, TimeSpan period)
    {
        lock (_lock)
        {
            if (_stopped)
                return false;
            SetUnderLock(dueTime, period);
            _bell.Set();
            return true;
        }
    }

    public void Dispose()
    {
        lock (_lock)
        {
            if (_stopped)
                return;
            _stopped = true;
            _bell.Set();
        }
    }

    public ValueTask DisposeAsync()
    {
        Dispose();
        return new ValueTask(_ended.Task);
    }

    private void SetUnderLock(TimeSpan dueTime, TimeSpan period)
    {
        _due = dueTime < TimeSpan.Zero ? TimeSpan.MaxValue : Now + dueTime;
        _period = period;
    }

    private void Run()
    {
        while (TryWait(out var wait, out var isShort))
        {
            if (wait == TimeSpan.Zero)
                _callback(_state);
            else if (isShort)
                ShortSleep.For(wait);
            else
                _bell.WaitOne(wait);
        }

        _bell.Dispose();
        _ended.SetResult();
    }

    /// <summary>False at the end. Otherwise how long to wait before looking again, infinite for ever, zero when a tick
    /// is due; the next one is set then.</summary>
    private bool TryWait(out TimeSpan wait, out bool isShort)
    {
        lock (_lock)
        {
            wait = Timeout.InfiniteTimeSpan;
            isShort = false;
            if (_stopped)
                return false;
            if (_due == TimeSpan.MaxValue)
                return true;
            var now = Now;
            wait = _due <= now ? TimeSpan.Zero : WaitUnderLock(_due - now, out isShort);
            if (wait == TimeSpan.Zero)
                SetNextUnderLock(now);
            return true;
        }
    }

    /// <summary>Waits for an event last whole milliseconds and a little longer. So a precise period ends its wait for
    /// the event early, and sleeps for the rest.</summary>
    private TimeSpan WaitUnderLock(TimeSpan left, out bool isShort)
    {
        var isPrecise = _period <= Millisecond;
        isShort = isPrecise && left < ShortlyBefore;
        if (isShort)
            return left;
        var milliseconds = isPrecise ? Math.Floor(left.TotalMilliseconds) - 1 : Math.Ceiling(left.TotalMilliseconds);
        return TimeSpan.FromMilliseconds(Math.Min(int.MaxValue, milliseconds));
    }

    private void SetNextUnderLock(TimeSpan now)
    {
        if (_period <= TimeSpan.Zero)
            _due = TimeSpan.MaxValue;
        else
            _due += _period * (1 + ((now - _due).Ticks / _period.Ticks));
    }
}
