namespace Gateway.Loadtest.Machine;

/// <summary>Times that a check allows hold for the machine of the budgets. A slower one has as much more: its ratio in
/// RSA signatures. A faster one has no less.</summary>
internal static class MachineScale
{
    public const double SignaturesPerSecond = 2763;

    /// <param name="signaturesPerSecond">A core of this machine makes so many just now; NaN: not known.</param>
    public static double Of(double signaturesPerSecond) =>
        signaturesPerSecond is > 0 and < SignaturesPerSecond ? SignaturesPerSecond / signaturesPerSecond : 1;
}
