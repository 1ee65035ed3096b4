namespace Gateway.Transport.Timing;

/// <summary>Something that a <see cref="TimingWheel"/> wakes at an absolute time. The wheel owns the links.</summary>
public abstract class TimerEntry
{
    /// <summary>Of a <see cref="MonotonicClock"/>. Set by whatever schedules, before it does.</summary>
    public long Due { get; set; }

    public bool IsScheduled => Slot >= 0;

    internal TimerEntry? Next { get; set; }

    internal TimerEntry? Previous { get; set; }

    internal int Slot { get; set; } = -1;

    /// <summary>It is due, and out of the wheel by now. Must not block.</summary>
    /// <param name="now">Of the wheel's clock.</param>
    public abstract void OnDue(long now);
}
