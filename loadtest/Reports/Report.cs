using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Reports;

/// <summary>The figures of a run, and its settings: one table of rows by columns. A scenario that measures once has one
/// column; one that measures steps or servers begins a column for each.</summary>
internal sealed class Report(string scenario, RunOptions options)
{
    private string _column = "value";

    public string Scenario { get; } = scenario;

    public RunOptions Options { get; } = options;

    public DateTimeOffset At { get; } = TimeProvider.System.GetUtcNow();

    /// <summary>RSA-2048 on one core, at the time of the run.</summary>
    public double SignaturesPerSecond { get; set; }

    /// <summary>Since the report was begun.</summary>
    public StolenTime Stolen { get; } = new();

    public double FloorMsPerSession => 1000 * RsaFloor.OperationsPerSession / SignaturesPerSecond;

    public List<string> Columns { get; } = [];

    public List<ReportRow> Rows { get; } = [];

    /// <summary>Figures that need more than one column.</summary>
    public List<ReportTable> Tables { get; } = [];

    /// <summary>Events that must not happen and did.</summary>
    public List<string> Failures { get; } = [];

    /// <summary>Remarks that the reader of the figures needs.</summary>
    public List<string> Notes { get; } = [];

    /// <summary>Of the server, the scenario's own options: name and value.</summary>
    public Dictionary<string, string> Facts { get; } = [];

    /// <summary>Rows added from now on belong to this column.</summary>
    public void BeginColumn(string name) => _column = name;

    /// <param name="name">The same in each column.</param>
    /// <param name="value">NaN: not known in this run; printed n/a.</param>
    /// <param name="unit">Empty for a count.</param>
    public void Add(string name, double value, string unit = "")
    {
        if (!Columns.Contains(_column))
            Columns.Add(_column);
        var row = Rows.Find(row => row.Name == name);
        if (row is null)
            Rows.Add(row = new ReportRow(name, unit));
        row.Values[_column] = value;
    }

    /// <summary>A count that has to be zero.</summary>
    public void AddFault(string name, long count)
    {
        Add(name, count);
        if (count != 0)
            Fail(string.Create(global::System.Globalization.CultureInfo.InvariantCulture, $"{name}: {count}"));
    }

    public void Fail(string text) => Failures.Add(Columns.Count > 1 ? $"{_column}: {text}" : text);

    public void Note(string text)
    {
        if (!Notes.Contains(text))
            Notes.Add(text);
    }
}
