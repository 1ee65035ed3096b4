using System.Text.RegularExpressions;

namespace Gateway.Tidy;

/// <summary>A reader of this repository can open what a comment or a page refers to.</summary>
public sealed partial class CitationTests
{
    private static readonly List<(string Path, string Text)> Texts =
    [
        .. Repository.Sources.Select(file => (file.Path, Plain(file.Text))),
        .. Document.All.Select(page => (page.Path, page.Text)),
    ];

    /// <summary>The standard is public, and so are MQTT, Modbus and an RFC; a number behind one of them, or behind
    /// another number, is a section of it.</summary>
    [Fact]
    public void Sections_All_AreOfAPublicSource() => Finding.None(
        from text in Texts
        from Match section in Section().Matches(text.Text)
        let before = text.Text[Math.Max(0, section.Index - 20)..section.Index]
        select $"{text.Path}: '{before}{section.Value}' names no source that a reader can open");

    [Fact]
    public void Rules_All_HaveARow() => Finding.None(
        from text in Texts
        from Match rule in Rule().Matches(text.Text)
        where !RuleTable.Rows.Any(row => row.Rule == rule.Value)
        select $"{text.Path}: {rule.Value} has no row in {RuleTable.Page}");

    [Fact]
    public void Links_OfPages_Resolve() => Finding.None(
        from page in Document.All
        let folder = Path.GetDirectoryName(page.Path)!
        from Match link in MarkdownLink().Matches(page.Text)
        let target = link.Groups[1].Value
        where !target.Contains("://", StringComparison.Ordinal)
        let wrong = Document.Check(folder, target.StartsWith('#') ? Path.GetFileName(page.Path) + target : target)
        where wrong is not null
        select $"{page.Path}: {wrong}");

    /// <summary>Relative to the root, or in a page also to the page: <c>docs/sizing.md#upstreams</c>.</summary>
    [Fact]
    public void Pages_NamedInText_Resolve() => Finding.None(
        from text in Texts
        from Match page in PageName().Matches(text.Text)
        let wrong = Document.Check("", page.Value)
        where wrong is not null && Document.Check(Path.GetDirectoryName(text.Path)!, page.Value) is not null
        select $"{text.Path}: {wrong}");

    /// <summary>Without line ends and comment marks: a reference may go on in the next line.</summary>
    private static string Plain(string source) => CommentBreak().Replace(source, " ");

    [GeneratedRegex(@"(?<!(?:Part \d+|10000-\d+|RFC \d+|MQTT [35][.\d]*|Modbus(?: TCP)?|§[\w.]*\w)" +
        @"[,;]?(?: and| to| or)? )§[\w.]*\w")]
    private static partial Regex Section();

    [GeneratedRegex(@"\bR\d\d\b")]
    private static partial Regex Rule();

    [GeneratedRegex(@"\]\(([^)\s]+)\)")]
    private static partial Regex MarkdownLink();

    [GeneratedRegex(@"(?<![\w/.])(?:\.\./)?(?:docs/\w+|loadtest/README|ARCHITECTURE|README)\.md(?:#[\w-]+)?")]
    private static partial Regex PageName();

    [GeneratedRegex(@"\n\s*(?:///?)? ?")]
    private static partial Regex CommentBreak();
}
