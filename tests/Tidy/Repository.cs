namespace Gateway.Tidy;

/// <summary>The repository that this test was built in, found by its solution file.</summary>
internal static class Repository
{
    private static readonly string[] SourceFolders = ["src", "tests", "tools", "loadtest"];

    private static readonly string[] Made =
        ["bin", "obj", "node_modules", "artifacts", "TestResults", "BenchmarkDotNet.Artifacts", ".git"];

    public static string Root { get; } = FindRoot();

    public static IReadOnlyList<SourceFile> Sources { get; } =
        [.. SourceFolders.SelectMany(folder => Files(folder, "*.cs")).Select(path => new SourceFile(path, Read(path)))];

    public static IReadOnlyList<string> Projects { get; } =
        [.. SourceFolders.SelectMany(folder => Files(folder, "*.csproj"))];

    public static string Read(string path) => File.ReadAllText(Path.Combine(Root, path));

    /// <summary>Paths below the root, with slashes, without what a build or a package manager makes.</summary>
    public static IEnumerable<string> Files(string folder, string pattern) =>
        Directory.Exists(Path.Combine(Root, folder))
            ? Directory.EnumerateFiles(Path.Combine(Root, folder), pattern, SearchOption.AllDirectories)
                .Select(path => Path.GetRelativePath(Root, path).Replace('\\', '/'))
                .Where(path => !path.Split('/').Any(IsMade))
                .Order(StringComparer.Ordinal)
            : [];

    private static bool IsMade(string part) => Made.Contains(part);

    private static string FindRoot()
    {
        for (DirectoryInfo? folder = new(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "Gateway.sln")))
                return folder.FullName;
        }

        throw new InvalidOperationException("Gateway.sln is in no folder above " + AppContext.BaseDirectory);
    }
}
