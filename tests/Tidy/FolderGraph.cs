using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Gateway.Tidy;

/// <summary>
/// The folders of one project below <c>src</c> and the arrows between them: using directives, and names such as
/// <c>Items.MonitoredItem</c>. Only the first folder below the project counts. Files beside the project file belong to
/// no folder: they put the parts together, or all folders share them.
/// </summary>
internal sealed class FolderGraph
{
    private FolderGraph(string project, IEnumerable<(string From, string To)> arrows)
    {
        Project = project;
        Arrows = [.. arrows.Distinct().OrderBy(arrow => arrow.From).ThenBy(arrow => arrow.To)];
    }

    public static IReadOnlyList<FolderGraph> All { get; } =
    [
        .. from project in Repository.Projects
           where project.StartsWith("src/", StringComparison.Ordinal)
           let folder = project[..project.LastIndexOf('/')]
           select new FolderGraph(folder, ArrowsOf(folder)),
    ];

    /// <summary>The project's folder: <c>src/Publish</c>.</summary>
    public string Project { get; }

    public IReadOnlyList<(string From, string To)> Arrows { get; }

    public FolderGraph Without(IEnumerable<(string From, string To)> arrows) => new(Project, Arrows.Except(arrows));

    /// <summary>The folders on a way from one to the other, both included; null: there is none.</summary>
    public IReadOnlyList<string>? Way(string from, string to) => Way(from, to, []);

    private List<string>? Way(string from, string to, HashSet<string> seen)
    {
        if (from == to)
            return [to];
        if (!seen.Add(from))
            return null;
        return Arrows.Where(arrow => arrow.From == from)
            .Select(arrow => Way(arrow.To, to, seen))
            .FirstOrDefault(rest => rest is not null) is { } way ? [from, .. way] : null;
    }

    private static IEnumerable<(string From, string To)> ArrowsOf(string project)
    {
        List<(string Folder, SourceFile File)> files =
        [
            .. from file in Repository.Sources
               where file.Path.StartsWith(project + '/', StringComparison.Ordinal)
               let parts = file.Path[(project.Length + 1)..].Split('/')
               where parts.Length > 1
               select (parts[0], file),
        ];
        HashSet<string> folders = [.. files.Select(entry => entry.Folder)];
        HashSet<(string, string)> types =
        [
            .. from entry in files
               from type in entry.File.TopLevelTypes()
               select (entry.Folder, SourceFile.NameOf(type)),
        ];
        return from entry in files
               from target in Named(entry.File, folders, types).Distinct()
               where target != entry.Folder
               select (entry.Folder, target);
    }

    private static IEnumerable<string> Named(
        SourceFile file, HashSet<string> folders, HashSet<(string Folder, string Type)> types)
    {
        foreach (SyntaxNode node in file.Root.DescendantNodes())
        {
            string[] parts = node switch
            {
                UsingDirectiveSyntax directive => directive.NamespaceOrType.ToString().Split('.'),
                QualifiedNameSyntax name => name.ToString().Split('.'),
                MemberAccessExpressionSyntax { Expression: IdentifierNameSyntax } name => name.ToString().Split('.'),
                _ => [],
            };
            bool isUsing = node is UsingDirectiveSyntax && parts.Length > 2 && parts[1] == RootOf(file);
            if (isUsing && folders.Contains(parts[2]))
                yield return parts[2];
            else if (node is not UsingDirectiveSyntax && parts.Length > 1 && types.Contains((parts[0], parts[1])))
                yield return parts[0];
        }
    }

    /// <summary><c>Publish</c> in <c>Gateway.Publish.Items</c>.</summary>
    private static string RootOf(SourceFile file) =>
        file.Root.Members.OfType<BaseNamespaceDeclarationSyntax>().FirstOrDefault() is { } space
            && space.Name.ToString().Split('.') is [_, var root, ..]
                ? root
                : "";
}
