using System.Text;

namespace Gateway.Loadtest.Reports;

/// <summary>A table that reads well as it is and as Markdown: columns padded, all but the first to the right.</summary>
internal sealed class MarkdownTable(string[] head)
{
    private readonly List<string[]> _rows = [head];

    public void Add(string[] row) => _rows.Add(row);

    public void WriteTo(StringBuilder text)
    {
        var widths = new int[head.Length];
        for (var i = 0; i < widths.Length; i++)
            widths[i] = Math.Max(3, _rows.Max(row => Escaped(row[i]).Length));
        for (var i = 0; i < _rows.Count; i++)
        {
            WriteRow(text, _rows[i], widths);
            if (i > 0)
                continue;
            for (var column = 0; column < widths.Length; column++)
                text.Append(column == 0 ? "| " : " | ").Append('-', widths[column] - 1).Append(column == 0 ? '-' : ':');
            text.AppendLine(" |");
        }
    }

    private static void WriteRow(StringBuilder text, string[] row, int[] widths)
    {
        for (var i = 0; i < row.Length; i++)
        {
            var cell = Escaped(row[i]);
            text.Append(i == 0 ? "| " : " | ").Append(i == 0 ? cell.PadRight(widths[i]) : cell.PadLeft(widths[i]));
        }

        text.AppendLine(" |");
    }

    private static string Escaped(string cell) => cell.Replace("|", "\\|", StringComparison.Ordinal);
}
