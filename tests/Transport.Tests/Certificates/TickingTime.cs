namespace Gateway.Transport.Tests.Certificates;

/// <summary>Each look at it takes a millisecond, so that work takes time that a test knows. Timers never fire.</summary>
internal sealed class TickingTime : TimeProvider
{
    private long _ticks;

    public override long TimestampFrequency => 1000;

    public override long GetTimestamp() => Interlocked.Increment(ref _ticks);

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        base.CreateTimer(callback, state, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
}
