namespace Gateway.Client.Requests;

/// <summary>A time as a server gave it: any number, or none.</summary>
internal static class PeerDuration
{
    private static readonly double LongestMs = TimeSpan.FromDays(1).TotalMilliseconds;

    /// <returns>Between the least and a day; the least for NaN.</returns>
    public static TimeSpan Of(double milliseconds, double leastMs) => TimeSpan.FromMilliseconds(
        milliseconds >= leastMs ? Math.Min(milliseconds, LongestMs) : leastMs);
}
