using System.Globalization;
using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Scenarios.Echo;

/// <summary>The cells as one table a policy, with the published figures of the reference beside them.</summary>
internal static class EchoTable
{
    /// <summary>Published for UA-.NETStandard's own echo, on another machine.</summary>
    private const double ReferenceUnbufferedUs = 117;
    private const double ReferenceBufferedUs = 67;
    private const double ReferenceNanosecondsAByte = 1.5;

    private static readonly string[] Columns =
    [
        "payload", "batch", "chunk", "under way", "calls/s", "round trip p50 µs", "p99 µs", "server CPU µs",
        "driver CPU µs", "system calls", "allocated B", "published µs, other machine",
    ];

    public static ReportTable Of(string policy, IEnumerable<EchoCell> cells)
    {
        var table = new ReportTable(
            $"Echo, {policy}: a call, its answer, and what it costs the server. Published: unbuffered and buffered, " +
            "a fixed part and 1.3 to 1.7 ns a byte.",
            Columns);
        foreach (var cell in cells)
            table.Rows.Add(cell.Refusal.Length > 0 ? Refused(cell) : Row(cell));
        return table;
    }

    /// <summary>The cost of one more byte, in ns, of the two outermost payloads at this setting; NaN without two.
    /// </summary>
    public static double NanosecondsAByte(IEnumerable<EchoCell> cells)
    {
        var measured = cells.Where(cell => cell.Refusal.Length == 0 && !double.IsNaN(cell.MedianUs))
            .OrderBy(cell => cell.PayloadBytes).ToArray();
        return measured.Length < 2 || measured[^1].PayloadBytes == measured[0].PayloadBytes
            ? double.NaN
            : 1000 * (measured[^1].MedianUs - measured[0].MedianUs) /
                (measured[^1].PayloadBytes - measured[0].PayloadBytes);
    }

    /// <summary>A column for each policy and number of calls under way; the rows name the setting where there are
    /// several, and only then sum up the payloads.</summary>
    public static void AddRows(Report report, IReadOnlyList<EchoCell> cells)
    {
        var settings = cells.GroupBy(cell => (cell.BatchBytes, cell.ChunkBytes)).ToArray();
        foreach (var setting in settings)
        {
            var name = settings.Length == 1
                ? string.Empty
                : $"batch {Batch(setting.Key.BatchBytes)}, chunk {Bytes(setting.Key.ChunkBytes)}, ";
            foreach (var column in setting.GroupBy(cell => (cell.Policy, cell.Depth)))
            {
                report.BeginColumn($"{column.Key.Policy}, {column.Key.Depth} under way");
                foreach (var cell in settings.Length == 1 ? column : column.Take(1))
                {
                    report.Add($"{name}{Bytes(cell.PayloadBytes)}: round trip p50", cell.MedianUs, "µs");
                    report.Add($"{name}{Bytes(cell.PayloadBytes)}: server CPU", cell.ServerCpuUs, "µs");
                }

                report.Add($"{name}a byte more", NanosecondsAByte(column), "ns");
            }
        }
    }

    private static string[] Head(EchoCell cell) =>
    [
        Bytes(cell.PayloadBytes), Batch(cell.BatchBytes), Bytes(cell.ChunkBytes), Text(cell.Depth, "0"),
    ];

    private static string[] Row(EchoCell cell) =>
    [
        .. Head(cell), Text(cell.Calls / cell.Seconds, "N0"), Text(cell.MedianUs, "N0"), Text(cell.P99Us, "N0"),
        Text(cell.ServerCpuUs, "N1"), Text(cell.DriverCpuUs, "N1"), Text(cell.SystemCalls, "0.0"),
        Text(cell.AllocatedBytes, "N0"), Published(cell),
    ];

    private static string[] Refused(EchoCell cell) =>
        [.. Head(cell), cell.Refusal, .. Enumerable.Repeat("–", Columns.Length - 5)];

    private static string Published(EchoCell cell)
    {
        if (cell.Depth != 1)
            return "–";
        var bytes = cell.PayloadBytes * ReferenceNanosecondsAByte / 1000;
        return $"{Text(ReferenceUnbufferedUs + bytes, "N0")}, {Text(ReferenceBufferedUs + bytes, "N0")}";
    }

    private static string Batch(int count) => count == 0 ? "0 (no guard)" : Bytes(count);

    private static string Bytes(int count) => count switch
    {
        < 0 => "its own",
        >= 1_000_000 when count % 1_000_000 == 0 => Text(count / 1_000_000, "0") + " MB",
        >= 1024 when count % 1024 == 0 => Text(count / 1024, "0") + " KiB",
        _ => Text(count, "0") + " B",
    };

    private static string Text(double value, string format) =>
        double.IsFinite(value) ? value.ToString(format, CultureInfo.InvariantCulture) : "–";
}
