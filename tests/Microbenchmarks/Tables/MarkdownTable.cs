using System.Globalization;
using System.Text;

namespace Gateway.Microbenchmarks.Tables;

/// <summary>Rows of text; the first columns to the left, the others to the right.</summary>
internal sealed class MarkdownTable(string[] left, string[] right)
{
    private readonly List<string[]> _rows = [];

    /// <summary>A paragraph below.</summary>
    public string? Foot { get; set; }

    public void Add(string[] cells) => _rows.Add(cells);

    public static string Time(double nanoseconds) => nanoseconds switch
    {
        < 10 => Format(nanoseconds, "0.0", "ns"),
        < 10_000 => Format(nanoseconds, "N0", "ns"),
        < 1_000_000 => Format(nanoseconds / 1_000, "0.0", "µs"),
        < 10_000_000 => Format(nanoseconds / 1_000_000, "0.00", "ms"),
        _ => Format(nanoseconds / 1_000_000, "N0", "ms"),
    };

    /// <summary>Below a tenth of a byte an operation is nothing: an event beside it, not an allocation in it.</summary>
    public static string Bytes(double bytes) => Format(bytes < 0.1 ? 0 : Math.Round(bytes), "N0", "B");

    public override string ToString()
    {
        var text = new StringBuilder();
        Line(text, [.. left, .. right]);
        Line(text, [.. left.Select(_ => "---"), .. right.Select(_ => "---:")]);
        foreach (var row in _rows)
            Line(text, row);
        if (Foot is not null)
            text.Append('\n').Append(Foot).Append('\n');
        return text.ToString();
    }

    private static string Format(double value, string format, string unit) =>
        value.ToString(format, CultureInfo.InvariantCulture) + " " + unit;

    private static void Line(StringBuilder text, string[] cells) =>
        text.Append("| ").AppendJoin(" | ", cells).Append(" |\n");
}
