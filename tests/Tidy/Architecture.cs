using System.Text.RegularExpressions;

namespace Gateway.Tidy;

/// <summary>
/// What ARCHITECTURE.md says that can be checked: the fenced block <c>arrows</c> with one line a project,
/// bottom first (<c>Publish -> AddressSpace, Transport</c>), and the names in backticks.
/// </summary>
internal static partial class Architecture
{
    private static readonly string Text = Repository.Read("ARCHITECTURE.md");

    private static readonly List<string[]> Lines =
    [
        .. ArrowBlock().Match(Text).Groups[1].Value.Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Select(line => line.Split("->", StringSplitOptions.TrimEntries)),
    ];

    public static IReadOnlyList<string> Drawn { get; } = [.. Lines.Select(line => line[0])];

    public static IReadOnlyCollection<(string From, string To)> Arrows { get; } = Lines
        .Where(line => line.Length == 2)
        .SelectMany(line => line[1].Split(',', StringSplitOptions.TrimEntries).Select(to => (line[0], to)))
        .ToHashSet();

    /// <summary>PascalCase words in backticks outside fenced blocks, the first part of a dotted one.</summary>
    public static IReadOnlyList<string> TypeNames { get; } =
    [
        .. PascalWord().Matches(FencedBlock().Replace(Text, "")).Select(match => match.Groups[1].Value).Distinct(),
    ];

    [GeneratedRegex("```arrows\n(.*?)```", RegexOptions.Singleline)]
    private static partial Regex ArrowBlock();

    [GeneratedRegex("```.*?```", RegexOptions.Singleline)]
    private static partial Regex FencedBlock();

    [GeneratedRegex("`([A-Z][a-z][A-Za-z0-9]*[A-Z0-9]?[A-Za-z0-9]*)(?:<\\w+>)?(?:\\.\\w+)*`")]
    private static partial Regex PascalWord();
}
