namespace Gateway.Server.Dispatch;

/// <summary>Something with a deadline: linked into a <see cref="TimingWheel"/>, guarded by the wheel's lock.</summary>
internal abstract class WheelEntry
{
    internal WheelEntry? Next { get; set; }

    internal WheelEntry? Previous { get; set; }

    internal long DueTick { get; set; }

    /// <summary>The slot it hangs in, −1 for none.</summary>
    internal int Slot { get; set; } = -1;

    /// <summary>Called once when due, on the wheel's thread, with no lock held; must not block.</summary>
    internal abstract void OnDue();
}
