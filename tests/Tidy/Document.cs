using System.Text.RegularExpressions;

namespace Gateway.Tidy;

/// <summary>One Markdown page of the repository, with the anchors that its headings make.</summary>
internal sealed partial class Document
{
    private Document(string path)
    {
        Path = path;
        Text = Repository.Read(path);
        Anchors = Heading().Matches(FencedBlock().Replace(Text, ""))
            .Select(match => AnchorOf(match.Groups[1].Value))
            .ToHashSet();
    }

    public static IReadOnlyList<Document> All { get; } =
        [.. Repository.Files(".", "*.md").Select(path => new Document(path))];

    public string Path { get; }

    public string Text { get; }

    public IReadOnlySet<string> Anchors { get; }

    /// <summary>What is wrong with a link; null: a file is there, and its heading, if it names one.</summary>
    /// <param name="folder">The link is relative to it; empty: to the root.</param>
    public static string? Check(string folder, string link)
    {
        string[] parts = link.Split('#', 2);
        string full = System.IO.Path.GetFullPath(System.IO.Path.Combine(Repository.Root, folder, parts[0]));
        string path = System.IO.Path.GetRelativePath(Repository.Root, full).Replace('\\', '/');
        if (!File.Exists(full) && !Directory.Exists(full))
            return $"{link}: there is no {path}";
        bool isThere = parts.Length == 1 || All.Any(page => page.Path == path && page.Anchors.Contains(parts[1]));
        return isThere ? null : $"{link}: {path} has no heading with this anchor";
    }

    /// <summary>As GitHub makes it: lower case, hyphens for spaces, no other punctuation.</summary>
    private static string AnchorOf(string heading) =>
        Punctuation().Replace(heading.Trim().ToLowerInvariant(), "").Replace(' ', '-');

    [GeneratedRegex("^#+ (.+)$", RegexOptions.Multiline)]
    private static partial Regex Heading();

    [GeneratedRegex("```.*?```", RegexOptions.Singleline)]
    private static partial Regex FencedBlock();

    [GeneratedRegex(@"[^\w\- ]")]
    private static partial Regex Punctuation();
}
