namespace Gateway.Publish.Shards;

/// <summary>Something that a <see cref="TimingWheel"/> wakes at an absolute time. The wheel owns the links.</summary>
internal abstract class TimerEntry
{
    /// <summary>Engine ticks; see <see cref="EngineClock"/>. Set by whoever schedules, before it does.</summary>
    public long Due { get; set; }

    public bool IsScheduled => Slot >= 0;

    internal TimerEntry? Next { get; set; }

    internal TimerEntry? Previous { get; set; }

    internal int Slot { get; set; } = -1;
}
