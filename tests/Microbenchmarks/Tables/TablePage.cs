using System.Text;

namespace Gateway.Microbenchmarks.Tables;

/// <summary>Measures every table and writes them as Markdown: to standard output, or between the two marks of a page
/// that is there.</summary>
internal static class TablePage
{
    private const string Begin = "<!-- tables: begin -->";
    private const string End = "<!-- tables: end -->";

    /// <param name="arguments">Optional: the page; <c>--only</c> and a word: classes with it in their name.</param>
    public static void Write(string[] arguments)
    {
        var only = Array.IndexOf(arguments, "--only") is >= 0 and var at ? arguments[at + 1] : "";
        var page = arguments.Length > 0 && arguments[0] != "--only" ? arguments[0] : null;
        var text = new StringBuilder();
        text.Append(MachineText.Now()).Append('\n');
        foreach (var benchmarks in BenchmarkClass.All().Where(
            one => one.Table.Title.Contains(only, StringComparison.OrdinalIgnoreCase)))
        {
            text.Append("\n## ").Append(benchmarks.Table.Title).Append("\n\n");
            text.Append(benchmarks.Table.Note).Append("\n\n");
            text.Append(benchmarks.Run(Console.Error.WriteLine));
        }

        if (DoorTable.Title.Contains(only, StringComparison.OrdinalIgnoreCase))
        {
            text.Append("\n## ").Append(DoorTable.Title).Append("\n\n").Append(DoorTable.Note).Append("\n\n");
            text.Append(DoorTable.Run(Console.Error.WriteLine));
        }

        if (RetainedTable.Title.Contains(only, StringComparison.OrdinalIgnoreCase))
        {
            text.Append("\n## ").Append(RetainedTable.Title).Append("\n\n").Append(RetainedTable.Note).Append("\n\n");
            text.Append(RetainedTable.Run(Console.Error.WriteLine));
        }

        if (page is null)
            Console.Out.Write(text);
        else
            Replace(page, text.ToString());
    }

    private static void Replace(string page, string tables)
    {
        var old = File.ReadAllText(page);
        var (begin, end) = (old.IndexOf(Begin, StringComparison.Ordinal), old.IndexOf(End, StringComparison.Ordinal));
        if (begin < 0 || end < begin)
            throw new InvalidDataException($"{page} lacks {Begin} and {End}.");
        File.WriteAllText(page, $"{old[..(begin + Begin.Length)]}\n\n{tables}\n{old[end..]}");
    }
}
