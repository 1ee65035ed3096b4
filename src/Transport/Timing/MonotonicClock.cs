namespace Gateway.Transport.Timing;

/// <summary>Monotonic time in units of 100 ns since the clock was made: every due time, deadline and lifetime (R28).
/// The wall clock only goes onto the wire.</summary>
public sealed class MonotonicClock(TimeProvider time)
{
    private readonly long _start = time.GetTimestamp();

    public long Now => time.GetElapsedTime(_start).Ticks;

    /// <summary>The value of <see cref="Now"/> at a timestamp of the same TimeProvider.</summary>
    public long At(long timestamp) => time.GetElapsedTime(_start, timestamp).Ticks;

    public DateTime UtcNow => time.GetUtcNow().UtcDateTime;

    /// <summary>Milliseconds of the wire as ticks; at least one.</summary>
    public static long FromMilliseconds(double milliseconds) =>
        Math.Max(1, (long)(milliseconds * TimeSpan.TicksPerMillisecond));
}
