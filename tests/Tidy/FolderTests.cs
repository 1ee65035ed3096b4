namespace Gateway.Tidy;

public sealed class FolderTests
{
    private const string Rule = "folder-circle";
    private const int MaxFiles = 40;

    /// <summary>An arrow in exceptions.txt is left out; each other arrow that closes a circle is found.</summary>
    [Fact]
    public void Folders_OfAProject_NeedNoneThatNeedsThem()
    {
        Assert.Contains(FolderGraph.All, graph => graph.Arrows.Count > 0);
        ExceptionList.Check(Rule,
            from graph in FolderGraph.All
            let listed = graph.Arrows.Where(arrow => ExceptionList.Holds(Rule, PlaceOf(graph, arrow))).ToList()
            let rest = graph.Without(listed)
            from arrow in graph.Arrows
            let back = rest.Way(arrow.To, arrow.From)
            where back is not null
            let circle = string.Join(" -> ", [arrow.From, .. back])
            select new Finding(PlaceOf(graph, arrow), "closes a circle: " + circle));
    }

    [Fact]
    public void Arrows_OfAProjectWhoseFoldersAreDrawn_AreDrawn()
    {
        Assert.NotEmpty(Architecture.FolderArrows);
        Finding.None(
            from graph in FolderGraph.All
            where Architecture.FolderArrows.Any(drawn => drawn.Project == graph.Project)
            from arrow in graph.Arrows
            where !Architecture.FolderArrows.Contains((graph.Project, arrow.From, arrow.To))
            select $"{PlaceOf(graph, arrow)}: ARCHITECTURE.md draws no such arrow");
    }

    [Fact]
    public void DrawnFolderArrows_All_Exist() => Finding.None(
        from drawn in Architecture.FolderArrows
        let graph = FolderGraph.All.FirstOrDefault(graph => graph.Project == drawn.Project)
        where graph is null || !graph.Arrows.Contains((drawn.From, drawn.To))
        select $"{drawn.Project}#{drawn.From} -> {drawn.To}: drawn in ARCHITECTURE.md, but no file needs it");

    [Fact]
    public void Folders_OfSources_AtMost40Files() => ExceptionList.Check("folder-size",
        from file in Repository.Sources
        where file.Path.StartsWith("src/", StringComparison.Ordinal)
        group file by file.Path[..file.Path.LastIndexOf('/')] into folder
        where folder.Count() > MaxFiles
        select new Finding(folder.Key, $"{folder.Count()} files, not {MaxFiles}: group them by what they are"));

    private static string PlaceOf(FolderGraph graph, (string From, string To) arrow) =>
        $"{graph.Project}#{arrow.From} -> {arrow.To}";
}
