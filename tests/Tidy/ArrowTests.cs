using System.Xml.Linq;

namespace Gateway.Tidy;

public sealed class ArrowTests
{
    [Fact]
    public void ProjectReferences_OfSources_AreDrawnInArchitecture() => Assert.Empty(
        from project in Repository.Projects
        where !project.StartsWith("tests/", StringComparison.Ordinal)
        from target in ReferencesOf(project)
        where !Architecture.Arrows.Contains((NameOf(project), target))
        select $"{project} references {target}: ARCHITECTURE.md draws no such arrow");

    [Fact]
    public void DrawnArrows_All_ExistInAProject()
    {
        HashSet<(string, string)> real = (
            from project in Repository.Projects
            from target in ReferencesOf(project)
            select (NameOf(project), target)).ToHashSet();

        Assert.NotEmpty(Architecture.Arrows);
        Assert.Subset(real, Architecture.Arrows.ToHashSet());
    }

    [Fact]
    public void DrawnArrows_All_PointDown()
    {
        // Projects are drawn bottom first: an arrow to a project that is drawn later would close a circle.
        List<string> order = [.. Architecture.Drawn];
        Assert.All(Architecture.Arrows, arrow =>
            Assert.True(order.IndexOf(arrow.To) < order.IndexOf(arrow.From), $"{arrow}"));
    }

    [Fact]
    public void Gateway_OutsideItsTests_IsReferencedByNobody() => Assert.Empty(
        from project in Repository.Projects
        where NameOf(project) is not ("Gateway.Tests" or "Interop" or "Loadtest.Tests" or "Attacks")
        where ReferencesOf(project).Contains("Gateway")
        select project);

    [Fact]
    public void TestProjects_All_AreReferencedByNobody() => Assert.Empty(
        from project in Repository.Projects
        from target in ReferencesOf(project)
        where Repository.Projects.Any(other =>
            other.StartsWith("tests/", StringComparison.Ordinal) && NameOf(other) == target)
        select $"{project} references {target}");

    [Fact]
    public void Projects_All_AreInTheSolution()
    {
        string solution = Repository.Read("Gateway.sln").Replace('\\', '/');
        Assert.All(Repository.Projects, project =>
            Assert.Contains($"\"{project}\"", solution, StringComparison.Ordinal));
    }

    private static string NameOf(string project) => Path.GetFileNameWithoutExtension(project);

    private static IEnumerable<string> ReferencesOf(string project) => XDocument.Parse(Repository.Read(project))
        .Descendants("ProjectReference")
        .Select(reference => NameOf(reference.Attribute("Include")!.Value.Replace('\\', '/')));
}
