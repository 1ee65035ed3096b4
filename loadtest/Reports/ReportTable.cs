namespace Gateway.Loadtest.Reports;

/// <summary>Rows of texts below a heading, for what a list of single values does not show.</summary>
internal sealed record ReportTable(string Title, string[] Columns)
{
    public List<string[]> Rows { get; } = [];

    /// <summary>Of the Markdown; the first column is text, the others are numbers.</summary>
    public IEnumerable<string> Lines()
    {
        yield return $"| {string.Join(" | ", Columns)} |";
        yield return $"| --- |{string.Concat(Enumerable.Repeat(" ---: |", Columns.Length - 1))}";
        foreach (var row in Rows)
            yield return $"| {string.Join(" | ", row)} |";
    }
}
