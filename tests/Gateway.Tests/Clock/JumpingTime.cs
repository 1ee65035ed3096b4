namespace Gateway.Tests.Clock;

/// <summary>The system's time, whose wall clock a test can move; timestamps and timers do not notice.</summary>
internal sealed class JumpingTime : TimeProvider
{
    private long _offset;

    public override DateTimeOffset GetUtcNow() => base.GetUtcNow() + TimeSpan.FromTicks(Volatile.Read(ref _offset));

    public void MoveWallClock(TimeSpan by) => Interlocked.Add(ref _offset, by.Ticks);
}
