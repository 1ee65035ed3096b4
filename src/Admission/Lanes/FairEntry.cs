namespace Gateway.Admission.Lanes;

/// <summary>Base class of an entry of a <see cref="FairQueue{T}"/>; it waits in one at a time. Its members are the
/// queue's, under its lock.</summary>
public abstract class FairEntry : IAged<FairEntry>
{
    /// <summary>Places in the two heaps of its class; -1: in none.</summary>
    internal int BestIndex = -1;
    internal int WorstIndex = -1;

    internal bool IsWaiting { get; set; }

    internal LaneClass Lane { get; set; }

    internal double Start { get; set; }

    internal long Order { get; set; }

    internal FairShare? OwnerShare { get; set; }

    internal FairShare? AddressShare { get; set; }

    FairEntry? IAged<FairEntry>.Older { get; set; }

    FairEntry? IAged<FairEntry>.Younger { get; set; }

    /// <summary>Monotonic timestamp of its coming.</summary>
    public long EnqueuedAt { get; internal set; }

    internal bool IsBefore(FairEntry other) =>
        Start < other.Start || (Start == other.Start && Order < other.Order);
}
