namespace Gateway.Loadtest.Reports;

/// <summary>One line of a panel; points whose value is NaN interrupt it.</summary>
internal sealed class SvgSeries(string name, IEnumerable<(double X, double Y)> points)
{
    public string Name { get; } = name;

    public (double X, double Y)[] Points { get; } = [.. points];

    /// <summary>A bound or a comparison, not a measurement.</summary>
    public bool IsDashed { get; init; }
}
