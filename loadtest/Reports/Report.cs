using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Reports;

/// <summary>What a run measured, and what it was.</summary>
internal sealed class Report(string scenario, RunOptions options)
{
    public string Scenario { get; } = scenario;

    public RunOptions Options { get; } = options;

    public DateTimeOffset At { get; } = TimeProvider.System.GetUtcNow();

    /// <summary>RSA-2048 on one core, at the time of the run.</summary>
    public double SignaturesPerSecond { get; set; }

    public double FloorMsPerSession => 1000 * RsaFloor.OperationsPerSession / SignaturesPerSecond;

    public List<ReportRow> Rows { get; } = [];

    /// <summary>What needs more than one column.</summary>
    public List<ReportTable> Tables { get; } = [];

    /// <summary>What must not be and was.</summary>
    public List<string> Failures { get; } = [];

    public void Add(string name, double value, string unit) => Rows.Add(new ReportRow(name, value, unit));

    /// <summary>A count that has to be zero.</summary>
    public void AddFault(string name, long count)
    {
        Add(name, count, string.Empty);
        if (count != 0)
            Failures.Add($"{name}: {count}");
    }
}
