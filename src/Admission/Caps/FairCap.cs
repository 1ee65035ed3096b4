namespace Gateway.Admission.Caps;

/// <summary>
/// A cap that one client cannot use up (R46): its last sixth, the reserve, is not given to a holder that has more than
/// a sixth already. A holder is a certificate, a user or an address. Arithmetic only: the caller counts. A cap below
/// six has no reserve.
/// </summary>
/// <param name="Limit">All there is.</param>
public readonly record struct FairCap(long Limit)
{
    private const int Parts = 6;

    /// <summary>A sixth, rounded down: the reserve, and what a holder may have to be served from it.</summary>
    public long Reserve => Limit / Parts;

    /// <summary>The most that one holder alone can get.</summary>
    public long Open => Limit - Reserve;

    /// <param name="used">By all, including the request.</param>
    /// <param name="held">By the holder that has most of those concerned, before the request is granted.</param>
    public CapVerdict Judge(long used, long held)
    {
        if (used > Open && held > Reserve && Reserve > 0)
            return CapVerdict.Reserved;
        return used > Limit ? CapVerdict.Full : CapVerdict.Granted;
    }
}
