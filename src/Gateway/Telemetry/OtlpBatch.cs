namespace Gateway.Host.Telemetry;

/// <summary>How much goes to the collector at a time, and how long the end of the gateway waits for it.</summary>
internal static class OtlpBatch
{
    public const int MaxItems = 512;

    /// <summary>Of one request to the collector.</summary>
    public const int TimeoutMs = 3_000;

    /// <summary>Of each signal. A collector that does not answer must not keep the gateway beyond
    /// Shutdown:GraceSeconds.</summary>
    public const int StopMs = 1_000;

    /// <param name="asked">By the SDK; negative: without end.</param>
    public static int AtStop(int asked) => asked < 0 ? StopMs : Math.Min(asked, StopMs);
}
