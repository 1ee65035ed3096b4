namespace Gateway.Loadtest.Reports;

/// <param name="Name">What was measured.</param>
/// <param name="Value">NaN: not known in this run.</param>
/// <param name="Unit">Empty for a count.</param>
internal sealed record ReportRow(string Name, double Value, string Unit);
