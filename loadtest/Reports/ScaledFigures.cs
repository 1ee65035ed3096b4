using System.Globalization;
using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Reports;

/// <summary>Figures that depend on the machine's speed, each in one row with that speed and with what it would be on
/// the machine that the budgets are for (docs/performance.md).</summary>
/// <param name="title">Of the table.</param>
/// <param name="signaturesPerSecond">RSA-2048 of one core, in this run.</param>
internal sealed class ScaledFigures(string title, double signaturesPerSecond)
{
    public ReportTable Table { get; } = new(
        title,
        [
            "what", "measured", "RSA-2048 signatures a second and core",
            $"at {MachineScale.SignaturesPerSecond:N0} signatures",
        ]);

    /// <param name="what">Time or CPU time.</param>
    /// <param name="value">NaN: not known in this run.</param>
    /// <param name="unit">Of the value.</param>
    public void Add(string what, double value, string unit) => Table.Rows.Add(
    [
        what, Text(value, unit), signaturesPerSecond.ToString("N0", CultureInfo.InvariantCulture),
        Text(value * signaturesPerSecond / MachineScale.SignaturesPerSecond, unit),
    ]);

    private static string Text(double value, string unit) =>
        double.IsFinite(value) ? string.Create(CultureInfo.InvariantCulture, $"{value:0.00} {unit}") : "n/a";
}
