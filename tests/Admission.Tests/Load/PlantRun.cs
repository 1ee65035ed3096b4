namespace Gateway.Admission.Tests.Load;

/// <summary>What a stretch of the simulation showed.</summary>
internal sealed class PlantRun(double capacity)
{
    private readonly List<double> _shares = [];
    private readonly List<double> _late = [];

    public double LeastShare => _shares.Min();

    public double MostShare => _shares.Max();

    public double MeanShare => _shares.Average();

    /// <summary>Of what the plant left, how much handshakes took.</summary>
    public double Used => _shares.Average(share => Math.Min(share, capacity)) / capacity;

    public void Add(double share, double late)
    {
        _shares.Add(share);
        _late.Add(late);
    }

    /// <summary>In ms.</summary>
    public double LateMs(double quantile)
    {
        var sorted = _late.Order().ToArray();
        return 1000 * sorted[(int)((sorted.Length - 1) * quantile)];
    }

    /// <summary>Seconds from the start until the share was below that for the first time.</summary>
    public double SecondsUntilBelow(double share) => _shares.FindIndex(s => s < share) / 1000.0;

    public double SecondsUntilAbove(double share) => _shares.FindIndex(s => s > share) / 1000.0;
}
