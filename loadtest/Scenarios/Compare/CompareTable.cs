using System.Globalization;
using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Scenarios.Compare;

/// <summary>All figures that both servers have, part by part.</summary>
internal sealed class CompareTable
{
    private readonly List<(string Part, Comparison Figure)> _rows = [];

    public IReadOnlyList<(string Part, Comparison Figure)> Comparisons => _rows;

    public static string TextOf(Verdict verdict) => verdict switch
    {
        Verdict.Better => "better",
        Verdict.Same => "the same",
        Verdict.Worse => "slower or larger",
        _ => string.Empty,
    };

    /// <summary>By the rows' names and columns; rows that are no contest, and rows of only one of them, are left out.
    /// </summary>
    public void Add(string part, Report ours, Report theirs)
    {
        foreach (var row in ours.Rows)
        {
            var other = theirs.Rows.Find(candidate => candidate.Name == row.Name);
            if (other is null)
                continue;
            foreach (var (column, value) in row.Values)
            {
                if (!other.Values.TryGetValue(column, out var otherValue))
                    continue;
                var name = row.Values.Count > 1 ? $"{row.Name}, {column}" : row.Name;
                var figure = new Comparison(name, row.Unit, value, otherValue);
                if (figure.Verdict != Verdict.None)
                    _rows.Add((part, figure));
            }
        }
    }

    public int Count(Verdict verdict) => _rows.Count(row => row.Figure.Verdict == verdict);

    public ReportTable AsReport(string ours, string peer)
    {
        var table = new ReportTable(
            $"{ours} beside {peer}, same driver, policy and options, one after the other",
            ["what", "unit", peer, ours, "ratio", $"{ours} is"]);
        foreach (var (part, figure) in _rows)
        {
            table.Rows.Add(
            [
                $"{part}: {figure.Name}", figure.Unit, Text(figure.Theirs), Text(figure.Ours), Text(figure.Ratio),
                figure.Verdict == Verdict.Worse ? $"**{TextOf(figure.Verdict)}**" : TextOf(figure.Verdict),
            ]);
        }

        return table;
    }

    private static string Text(double value)
    {
        if (!double.IsFinite(value))
            return "n/a";
        var format = Math.Abs(value) switch
        {
            >= 100 => "N0",
            var size when size == Math.Floor(size) => "0",
            >= 10 => "0.0",
            _ => "0.00",
        };
        return value.ToString(format, CultureInfo.InvariantCulture);
    }
}
