namespace Gateway.Loadtest.Observers;

/// <summary>One second of the live sessions. NaN where no message came.</summary>
internal sealed record LiveSecond(long Messages, double P50Ms, double P99Ms, double MaxMs);
