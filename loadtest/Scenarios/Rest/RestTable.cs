using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Scenarios.Rest;

/// <summary>The columns of a run, each beside the empty endpoint's of the same shape.</summary>
internal sealed class RestTable(Report report, List<RestMeasured> columns)
{
    public void Print() => columns.ForEach(Print);

    private void Print(RestMeasured column)
    {
        var (window, requests) = (column.Window, column.Requests);
        report.BeginColumn(column.Column);
        report.Add("connections", column.Shape.Connections);
        report.Add("requests a second", column.PerSecond, "/s");
        AddShare(column);
        report.Add("requests a second and core of the server", column.PerCore, "/s");
        if (column.Part.Values > 0)
        {
            report.Add("values a second", column.PerSecond * column.Part.Values, "/s");
            report.Add("values a second and core of the server", column.PerCore * column.Part.Values, "/s");
        }

        report.Add("server CPU a request", 1e6 * column.ServerCpuSeconds / requests, "µs");
        report.Add("driver CPU a request", 1e6 * window.DriverCpuSeconds / requests, "µs");
        report.Add("server allocated a request", window.ServerAllocatedBytes / requests, "B");
        report.Add("round trip p50", column.RoundTrip.PercentileMs(0.5), "ms");
        report.Add("round trip p99", column.RoundTrip.PercentileMs(0.99), "ms");
        report.Add("round trip max", column.RoundTrip.MaximumMs, "ms");
        report.Add("server CPU", window.ServerCores, "cores");
        report.Add("driver CPU", window.DriverCores, "cores");
        report.Add("server CPU idle (taken off)", 100 * column.IdleCores, "% of a core");
        report.AddFault("answers that are wrong", column.Faults.Wrong);
        report.AddFault("connections lost", column.Faults.Lost);
        report.AddFault("variables that do not read as written", column.Faults.NotWritten);
        if (column.Faults.FirstLoss is { } why)
            report.Note($"{column.Column}: a connection ended: {why}");
        if (requests == 0 && !column.IsCold)
            report.Fail("no request was answered");
    }

    /// <summary>The rate is of a machine that server and driver share; that of a core leaves the driver out.</summary>
    private void AddShare(RestMeasured column)
    {
        var empty = columns.Find(other =>
            other.IsEmpty && other.Shape == column.Shape && other.IsCold == column.IsCold);
        if (empty is null || column.IsEmpty)
            return;
        report.Add("of the empty endpoint's rate", 100 * column.PerSecond / empty.PerSecond, "%");
        report.Add("of the empty endpoint's rate a core", 100 * column.PerCore / empty.PerCore, "%");
    }
}
