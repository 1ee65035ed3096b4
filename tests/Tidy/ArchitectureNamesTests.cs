namespace Gateway.Tidy;

public sealed class ArchitectureNamesTests
{
    /// <summary>The BCL's and the libraries' types that the text speaks of.</summary>
    private static readonly string[] Foreign =
        ["ConnectionHandler", "TimeProvider", "Dockerfile", "Lock", "Pipe", "Meter", "RSA"];

    [Fact]
    public void Names_InBackticks_ExistInTheSources()
    {
        HashSet<string> known = [.. Repository.Sources.SelectMany(file => file.AllTypeNames()), .. Foreign];
        known.UnionWith(Repository.Projects.Select(project => Path.GetFileNameWithoutExtension(project)));

        Assert.NotEmpty(Architecture.TypeNames);
        List<string> gone = [.. Architecture.TypeNames.Where(name => !known.Contains(name))];
        Assert.Empty(gone);
    }
}
