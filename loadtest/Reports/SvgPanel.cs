namespace Gateway.Loadtest.Reports;

/// <summary>One diagram over the plot's common x axis.</summary>
/// <param name="title">Above it.</param>
/// <param name="unit">Of y; empty for a count.</param>
internal sealed class SvgPanel(string title, string unit)
{
    public string Title { get; } = title;

    public string Unit { get; } = unit;

    public List<SvgSeries> Series { get; } = [];
}
