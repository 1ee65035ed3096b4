namespace Gateway.Loadtest.Reports;

/// <param name="Name">The measured quantity.</param>
/// <param name="Unit">Empty for a count.</param>
internal sealed record ReportRow(string Name, string Unit)
{
    /// <summary>By column; NaN: not known in this run. A column that lacks here was not measured.</summary>
    public Dictionary<string, double> Values { get; } = [];
}
