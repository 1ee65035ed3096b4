namespace Gateway.Loadtest.Observers;

/// <summary>One second of the live sessions, or a whole measurement. NaN where no message came.</summary>
internal sealed record LiveSecond(long Messages, double P50Ms, double P99Ms, double MaxMs)
{
    public static LiveSecond None { get; } = new(0, double.NaN, double.NaN, double.NaN);
}
