namespace Gateway.Host.Configuration;

/// <summary>The words of docs/sizing.md, which is embedded, on each limit, by the limit's name.</summary>
internal static class LimitPage
{
    private const string Page = "sizing.md";
    private const string Name = "Limit";

    /// <param name="Bounds">The thing that it bounds.</param>
    /// <param name="Acts">The effect at the limit, and the counter that tells; "as above" means the row before.</param>
    /// <param name="Remedy">When to lower or raise it.</param>
    internal sealed record Words(string Bounds, string Acts, string Remedy);

    public static IReadOnlyDictionary<string, Words> All { get; } = Read();

    private static Dictionary<string, Words> Read()
    {
        var all = new Dictionary<string, Words>(StringComparer.Ordinal);
        using var stream = typeof(LimitPage).Assembly.GetManifestResourceStream(Page)!;
        using var page = new StreamReader(stream);
        string[] header = [];
        var last = new Words("", "", "");
        while (page.ReadLine() is { } line)
        {
            var cells = line.Split('|', StringSplitOptions.TrimEntries);
            if (cells.Length > 3 && cells[1] == Name)
                (header, last) = (cells, new Words("", "", ""));
            if (cells.Length <= 3 || !cells[1].StartsWith('`'))
                continue;
            last = new Words(
                Cell("Bounds", last.Bounds), Cell("When it acts", last.Acts), Cell("Lower it, raise it", last.Remedy));
            all[cells[1].Trim('`')] = last;

            string Cell(string column, string above)
            {
                var at = Array.IndexOf(header, column);
                var text = at < 0 || at >= cells.Length ? "" : cells[at].Replace("`", "", StringComparison.Ordinal);
                return text == "as above" ? above : text;
            }
        }

        return all;
    }
}
