namespace Gateway.Loadtest.Reports;

/// <summary>Rows of texts below a heading, for results that a list of single values does not show.</summary>
internal sealed record ReportTable(string Title, string[] Columns)
{
    public List<string[]> Rows { get; } = [];
}
