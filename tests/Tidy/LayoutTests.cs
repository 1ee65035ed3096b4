using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Gateway.Tidy;

public sealed class LayoutTests
{
    /// <summary>Inside <c>Gateway.*</c> these would hide the BCL's namespaces.</summary>
    private static readonly string[] ForbiddenSegments = ["Encoding", "Buffers", "Channels", "Threading"];

    /// <summary>Folders whose sub-folders share one namespace, and why.</summary>
    private static readonly Dictionary<string, string> FlatFolders = new()
    {
        ["src/Codec/Structures"] = "some hundred structures by Part and service set, which every caller uses together",
        ["src/Transport/Conversation"] = "the rooms of one conversation",
    };

    [Fact]
    public void SourceFiles_All_HaveOneTopLevelTypeNamedAsTheFile() => ExceptionList.Check("one-type",
        from file in Repository.Sources
        let names = file.TopLevelTypes().Select(SourceFile.NameOf).ToList()
        where names.Count > 1 || (names.Count == 1 && !IsFileOf(file.Path, names[0]))
        select new Finding(file.Path, "holds " + string.Join(", ", names)));

    [Fact]
    public void Namespaces_All_EqualTheFolder() => ExceptionList.Check("namespace",
        from file in Repository.Sources
        let spaces = file.Root.DescendantNodes(node => node is CompilationUnitSyntax or BaseNamespaceDeclarationSyntax)
            .OfType<BaseNamespaceDeclarationSyntax>()
        from space in spaces
        let name = space.Name.ToString()
        where space is not FileScopedNamespaceDeclarationSyntax || !NamespacesOf(file.Path).Contains(name)
        select new Finding(file.Path, $"namespace {name}, not {NamespacesOf(file.Path)[0]} (file-scoped)"));

    /// <summary>But one, which the runtime finds by its bare name (DOTNET_STARTUP_HOOKS).</summary>
    [Fact]
    public void Types_All_LiveInANamespace() => Assert.Empty(
        from file in Repository.Sources
        where file.Path != "loadtest/StartupHook.cs"
        from type in file.Root.Members
        where type is BaseTypeDeclarationSyntax or DelegateDeclarationSyntax
        select $"{file.Path}: {SourceFile.NameOf(type)}");

    [Fact]
    public void Namespaces_All_HideNoneOfTheBcl() => Assert.Empty(
        from file in Repository.Sources
        from space in file.Root.DescendantNodes().OfType<BaseNamespaceDeclarationSyntax>()
        where space.Name.ToString().Split('.').Skip(1).Any(ForbiddenSegments.Contains)
        select $"{file.Path}: {space.Name}");

    /// <summary><c>X.cs</c>, <c>XOfT.cs</c> for a generic twin, <c>X.Log.cs</c> for a half of X.</summary>
    private static bool IsFileOf(string path, string type)
    {
        string file = Path.GetFileNameWithoutExtension(path);
        return file == type || file == type + "OfT" || file.StartsWith(type + '.', StringComparison.Ordinal)
            || file.StartsWith(type + '{', StringComparison.Ordinal);
    }

    private static string[] NamespacesOf(string path)
    {
        string folder = Path.GetDirectoryName(path)!.Replace('\\', '/');
        string? flat = FlatFolders.Keys.FirstOrDefault(key => folder.StartsWith(key + '/', StringComparison.Ordinal));
        string[] parts = (flat ?? folder).Split('/');
        string[] below = parts[0] is "loadtest" ? ["Loadtest", .. parts[1..]] : parts[1..];
        return below[0] switch
        {
            "Gateway" => ["Gateway.Host" + Below(below)],
            "Gateway.Tests" => ["Gateway.Tests" + Below(below)],
            "Shared" => ["Gateway.Testing" + Below(below)],
            _ => ["Gateway." + string.Join('.', below)],
        };
    }

    private static string Below(string[] parts) => string.Concat(parts.Skip(1).Select(part => '.' + part));
}
