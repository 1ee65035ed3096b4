namespace Gateway.Loadtest.Scenarios.Compare;

/// <summary>One figure of both servers. NaN: not known.</summary>
internal sealed record Comparison(string Name, string Unit, double Ours, double Theirs)
{
    /// <summary>Less than this apart is the same, on a machine shared by server and driver.</summary>
    private const double SameShare = 0.05;

    /// <summary>The driver's own, or the run's setting.</summary>
    private static readonly string[] Descriptive =
        ["driver", "idle", "asked for", "measured", "slope", "notifications a second", "messages a second"];

    /// <summary>Less is better, also a second.</summary>
    private static readonly string[] Costs = ["allocated", "context switches"];

    /// <summary>The remainder without the idle server's share may be below zero: then it was too small to be seen, and
    /// no contest.</summary>
    public Verdict Verdict
    {
        get
        {
            if (!IsSeen(Ours) || !IsSeen(Theirs) || Better() is not { } sign)
                return Verdict.None;
            var (least, most) = (Math.Min(Ours, Theirs), Math.Max(Ours, Theirs));
            if (most - least <= SameShare * Math.Abs(most))
                return Verdict.Same;
            return sign * (Ours - Theirs) > 0 ? Verdict.Better : Verdict.Worse;
        }
    }

    /// <summary>Ours over theirs; NaN where it says nothing.</summary>
    public double Ratio => Theirs == 0 ? double.NaN : Ours / Theirs;

    private static bool IsSeen(double value) => double.IsFinite(value) && value >= 0;

    /// <returns>+1 where more is better, −1 where less is, null where a figure only describes the run.</returns>
    private int? Better()
    {
        if (Array.Exists(Descriptive, part => Name.Contains(part, StringComparison.Ordinal)))
            return null;
        if (Array.Exists(Costs, part => Name.Contains(part, StringComparison.Ordinal)))
            return -1;
        return Unit switch
        {
            "/s" => 1,
            "ns" or "µs" or "ms" or "s" or "B" or "KiB" or "MiB" or "KB" or "MB" or "×" => -1,
            _ => null,
        };
    }
}
