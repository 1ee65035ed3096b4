namespace Gateway.Admission.Caps;

/// <summary>The answer of a <see cref="FairCap"/>.</summary>
public enum CapVerdict
{
    Granted,

    /// <summary>Only the last sixth is left, and the holder that asks has more than a sixth.</summary>
    Reserved,

    /// <summary>Everything is taken.</summary>
    Full,
}
