namespace Gateway.Transport.Certificates;

/// <summary>An operator's change in a pair of folders; certificates are named by subject and thumbprint, some of many.
/// Subjects are peer text: not for a log as they are.</summary>
public sealed record TrustListChange(string Folder, long Version, string[] Added, string[] Removed, int Trusted)
{
    private const int MaxNamed = 5;

    /// <summary>One sentence; a change that neither adds nor removes is a revocation list or an overwritten
    /// file.</summary>
    public override string ToString() =>
        $"{Folder} version {Version}, {Trusted} trusted certificates" + Names("added", Added) +
        Names("removed", Removed);

    internal static TrustListChange Between(string folder, TrustList before, TrustList after) => new(
        folder, after.Version, [.. after.Except(before)], [.. before.Except(after)], after.TrustedCount);

    private static string Names(string verb, string[] certificates) => certificates.Length switch
    {
        0 => "",
        <= MaxNamed => $", {verb} {string.Join(", ", certificates)}",
        _ => $", {verb} {string.Join(", ", certificates.Take(MaxNamed))} and {certificates.Length - MaxNamed} more",
    };
}
