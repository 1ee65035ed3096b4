namespace Gateway.Loadtest.Scenarios.Soak;

/// <summary>The times of measurement in a run of a given length.</summary>
internal readonly record struct SoakClock(double Minutes, double WarmUpMinutes)
{
    private const int LeastPeriods = 20;

    /// <summary>A line a minute, but some in a shorter run.</summary>
    public TimeSpan Period => TimeSpan.FromMinutes(Math.Min(1, Minutes / LeastPeriods));

    public int Periods => (int)Math.Round(Minutes / Period.TotalMinutes);

    public int WarmUpPeriods =>
        (int)Math.Ceiling(Math.Min(WarmUpMinutes, Minutes / 2) / Period.TotalMinutes);
}
