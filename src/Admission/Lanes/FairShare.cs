namespace Gateway.Admission.Lanes;

/// <summary>What one certificate or address has had of one queue, in the queue's virtual time. Guarded by the queue's
/// lock.</summary>
public sealed class FairShare
{
    /// <summary>Where its next piece of work begins at the earliest.</summary>
    internal double Finish { get; set; }

    /// <summary>Work costs it 1 / weight of virtual time.</summary>
    public double Weight { get; set; } = 1;
}
