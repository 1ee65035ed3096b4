namespace Gateway.Interop.Scripts;

internal static class PeerRequirement
{
    /// <summary>Why the peers' tests do not run here; null where they must, although they may then fail.</summary>
    public static string? Reason =>
        Environment.GetEnvironmentVariable("CI") == "true" ? null : PeerFolder.Missing;

    public static void Demand() =>
        Assert.True(PeerFolder.Missing is null, PeerFolder.Missing);
}
