namespace Gateway.Tests.Clock;

/// <summary>The system's time, whose timestamps a test holds or moves on, so that rates and lifetimes do not depend on
/// the machine's pace. Timers and the wall clock do not notice.</summary>
internal sealed class MovedTime : TimeProvider
{
    private long _offset;
    private long _held;

    public override long GetTimestamp() => Volatile.Read(ref _held) is not 0 and var held
        ? held
        : base.GetTimestamp() + Volatile.Read(ref _offset);

    /// <summary>From now on.</summary>
    public void Hold() => Volatile.Write(ref _held, GetTimestamp());

    /// <summary>Of time that is not held.</summary>
    public void Leap(TimeSpan by)
    {
        Assert.Equal(0, Volatile.Read(ref _held));
        Interlocked.Add(ref _offset, (long)(by.TotalSeconds * TimestampFrequency));
    }
}
