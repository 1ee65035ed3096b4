namespace Gateway.Client.Requests;

/// <summary>Something that wants to be called at a time; linked into a <see cref="DeadlineWheel"/>, which owns the
/// links and guards them by its lock.</summary>
internal abstract class WheelEntry
{
    internal WheelEntry? Next { get; set; }

    internal WheelEntry? Previous { get; set; }

    /// <summary>The wheel's tick at which it is due; −1 while it is in no slot.</summary>
    internal long DueTick { get; set; } = -1;

    /// <summary>Called on the timer's thread, outside the wheel's lock; the entry is out of the wheel by
    /// then.</summary>
    /// <param name="now">A timestamp of the wheel's TimeProvider.</param>
    internal abstract void OnDue(long now);
}
