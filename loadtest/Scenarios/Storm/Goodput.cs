namespace Gateway.Loadtest.Scenarios.Storm;

/// <summary>Sessions that became active, by the second.</summary>
internal sealed class Goodput
{
    private readonly int[] _seconds;

    /// <param name="arrivals">Seconds from the start, ascending.</param>
    public Goodput(IReadOnlyList<double> arrivals)
    {
        Last = arrivals.Count > 0 ? arrivals[^1] : double.NaN;
        _seconds = new int[arrivals.Count > 0 ? (int)Last + 1 : 0];
        foreach (var arrival in arrivals)
            _seconds[(int)arrival]++;
        Count = arrivals.Count;
    }

    public int Count { get; }

    /// <summary>When the last one became active; NaN: none did.</summary>
    public double Last { get; }

    /// <summary>With the second in which the last one came, which is not a full one.</summary>
    public IReadOnlyList<int> Seconds => _seconds;

    /// <summary>Over the whole time.</summary>
    public double Mean => Count / Last;

    /// <summary>Of the full seconds; NaN where all came within the first.</summary>
    public double LowestFull => FullSeconds > 0 ? _seconds.Take(FullSeconds).Min() : double.NaN;

    /// <summary>NaN where all came within it.</summary>
    public double First => FullSeconds > 0 ? _seconds[0] : double.NaN;

    /// <summary>Full seconds with fewer than that many.</summary>
    public int CountBelow(double rate) => _seconds.Take(FullSeconds).Count(count => count < rate);

    public int FullSeconds => Math.Max(0, _seconds.Length - 1);
}
