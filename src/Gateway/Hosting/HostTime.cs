namespace Gateway.Host.Hosting;

/// <summary>
/// The system's time, but a timer that repeats within a tenth of a second has a thread of its own: the plant's tick and
/// the deadline wheels. Such a tick is one wake-up; by the runtime's timers it is some eight, of the timer's thread and
/// of pool threads. And no tick waits for a pool that is busy with a storm of handshakes.
/// </summary>
internal sealed class HostTime : TimeProvider
{
    private static readonly TimeSpan LongestTick = TimeSpan.FromMilliseconds(100);

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        period > TimeSpan.Zero && period <= LongestTick
            ? new TickThread(callback, state, dueTime, period, this)
            : base.CreateTimer(callback, state, dueTime, period);
}
