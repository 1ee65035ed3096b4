namespace Gateway.Sources.OpcUa.Redundancy;

/// <summary>How the other servers stand by: the key <c>Upstreams:N:Standby</c>. Source: Part 4 §6.6.2.4.5.</summary>
internal static class StandbyMode
{
    /// <summary>As the servers say: their RedundancySupport.</summary>
    public const string Auto = "auto";

    private const string Cold = "cold";
    private const string Warm = "warm";
    private const string Hot = "hot";

    public static readonly string[] All = [Auto, Cold, Warm, Hot];

    /// <summary>Whether a session with each of the other servers is kept.</summary>
    /// <param name="mode">Of <see cref="All"/>.</param>
    /// <param name="support">See <see cref="RedundancyFacts.Support"/>.</param>
    public static bool HasStandby(string mode, string support) =>
        mode == Auto ? support is Warm or Hot or "hotandmirrored" : mode != Cold;

    /// <summary>Whether one of these sessions has the items, too.</summary>
    public static bool IsHot(string mode, string support) =>
        mode == Auto ? support is Hot or "hotandmirrored" : mode == Hot;
}
