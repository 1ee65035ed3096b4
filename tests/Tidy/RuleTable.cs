namespace Gateway.Tidy;

/// <summary>The rows of docs/rules.md: the rule, what holds, and the tests that hold it.</summary>
internal static class RuleTable
{
    public const string Page = "docs/rules.md";

    public static IReadOnlyList<(string Rule, string Holds, string Tests)> Rows { get; } =
    [
        .. Repository.Read(Page).Split('\n')
            .Where(line => line.StartsWith("| R", StringComparison.Ordinal) && char.IsAsciiDigit(line[3]))
            .Select(line => line.Split(" | "))
            .Select(cells => (cells[0][2..5], cells[1], cells[2])),
    ];
}
