using System.Text.RegularExpressions;

namespace Gateway.Tidy;

/// <summary>
/// What ARCHITECTURE.md says that can be checked: the fenced block <c>arrows</c> with one line a project,
/// bottom first (<c>Publish -> AddressSpace, Transport</c>), the block <c>folders</c> with one line a folder
/// (<c>Client/Sessions -> Discovery, Requests</c>), and the names in backticks.
/// </summary>
internal static partial class Architecture
{
    private static readonly string Text = Repository.Read("ARCHITECTURE.md");

    private static readonly List<string[]> Lines = [.. LinesOf(ArrowBlock())];

    public static IReadOnlyList<string> Drawn { get; } = [.. Lines.Select(line => line[0])];

    public static IReadOnlyCollection<(string From, string To)> Arrows { get; } = Lines
        .Where(line => line.Length == 2)
        .SelectMany(line => line[1].Split(',', StringSplitOptions.TrimEntries).Select(to => (line[0], to)))
        .ToHashSet();

    /// <summary>Inside the projects whose folders are drawn; a project is <c>src/Client</c>.</summary>
    public static IReadOnlyCollection<(string Project, string From, string To)> FolderArrows { get; } =
        LinesOf(FolderBlock())
        .Where(line => line.Length == 2)
        .SelectMany(line => line[1].Split(',', StringSplitOptions.TrimEntries), (line, to) => (line[0].Split('/'), to))
        .Select(arrow => ("src/" + arrow.Item1[0], arrow.Item1[1], arrow.to))
        .ToHashSet();

    /// <summary>PascalCase words in backticks outside fenced blocks, the first part of a dotted one.</summary>
    public static IReadOnlyList<string> TypeNames { get; } =
    [
        .. PascalWord().Matches(FencedBlock().Replace(Text, "")).Select(match => match.Groups[1].Value).Distinct(),
    ];

    private static IEnumerable<string[]> LinesOf(Regex block) => block.Match(Text).Groups[1].Value
        .Split('\n', StringSplitOptions.RemoveEmptyEntries)
        .Select(line => line.Split("->", StringSplitOptions.TrimEntries));

    [GeneratedRegex("```arrows\n(.*?)```", RegexOptions.Singleline)]
    private static partial Regex ArrowBlock();

    [GeneratedRegex("```folders\n(.*?)```", RegexOptions.Singleline)]
    private static partial Regex FolderBlock();

    [GeneratedRegex("```.*?```", RegexOptions.Singleline)]
    private static partial Regex FencedBlock();

    [GeneratedRegex("`([A-Z][a-z][A-Za-z0-9]*[A-Z0-9]?[A-Za-z0-9]*)(?:<\\w+>)?(?:\\.\\w+)*`")]
    private static partial Regex PascalWord();
}
