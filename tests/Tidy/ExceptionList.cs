namespace Gateway.Tidy;

/// <summary>The places that break a rule on purpose, each with its reason: <c>exceptions.txt</c>.</summary>
internal static class ExceptionList
{
    /// <summary>The list may only shrink: lower this with it; raising it is a decision to be reviewed.</summary>
    public const int Ceiling = 30;

    public static IReadOnlyList<TidyException> Entries { get; } = Load();

    /// <summary>Fails with what is found but not listed, and with what is listed but no longer found.</summary>
    public static void Check(string rule, IEnumerable<Finding> findings)
    {
        List<Finding> all = [.. findings];
        HashSet<string> allowed = [.. Entries.Where(entry => entry.Rule == rule).Select(entry => entry.Place)];
        HashSet<string> found = [.. all.Select(finding => finding.Place)];
        List<string> wrong =
            [.. all.Where(finding => !allowed.Contains(finding.Place)).Select(f => $"{f.Place}: {f.Text}")];
        wrong.AddRange(allowed.Where(place => !found.Contains(place))
            .Select(place => $"{place}: listed in tests/Tidy/exceptions.txt for '{rule}' but no longer needed"));
        Assert.True(wrong.Count == 0, $"{rule}: {wrong.Count} found\n" + string.Join('\n', wrong));
    }

    public static bool Holds(string rule, string place) =>
        Entries.Any(entry => entry.Rule == rule && entry.Place == place);

    private static List<TidyException> Load() =>
    [
        .. Repository.Read("tests/Tidy/exceptions.txt").Split('\n')
            .Where(line => line.Length > 0 && line[0] != '#')
            .Select(line => line.Split('|', 3, StringSplitOptions.TrimEntries))
            .Select(parts => parts.Length == 3
                ? new TidyException(parts[0], parts[1], parts[2])
                : throw new InvalidOperationException("exceptions.txt: 'rule | place | reason' expected: " + parts[0])),
    ];
}
