namespace Gateway.Admission.Lanes;

/// <summary>What can wait in a <see cref="FairQueue{T}"/>: derive from it. Its fields are the queue's, under its lock.
/// </summary>
public abstract class FairEntry
{
    internal bool IsWaiting { get; set; }

    /// <summary>-1: it waits in no heap.</summary>
    internal int HeapIndex { get; set; } = -1;

    internal LaneClass Lane { get; set; }

    internal double Start { get; set; }

    internal long Order { get; set; }

    internal FairEntry? Older { get; set; }

    internal FairEntry? Younger { get; set; }

    /// <summary>Monotonic timestamp of its coming.</summary>
    public long EnqueuedAt { get; internal set; }
}
