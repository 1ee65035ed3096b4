using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Gateway.Tidy;

/// <summary>One C# file of the repository: its path below the root, its lines and its syntax tree.</summary>
internal sealed class SourceFile
{
    private static readonly CSharpParseOptions Options =
        new(LanguageVersion.Preview, DocumentationMode.None, SourceCodeKind.Regular);

    private readonly Lazy<CompilationUnitSyntax> root;

    public SourceFile(string path, string text)
    {
        Path = path;
        Text = text;
        Lines = text.TrimEnd('\n').Split('\n');
        root = new(() => CSharpSyntaxTree.ParseText(text, Options, path).GetCompilationUnitRoot());
    }

    public string Path { get; }

    public string Text { get; }

    public IReadOnlyList<string> Lines { get; }

    public CompilationUnitSyntax Root => root.Value;

    public bool IsTest => Path.StartsWith("tests/", StringComparison.Ordinal);

    public IEnumerable<MemberDeclarationSyntax> TopLevelTypes() => Root
        .DescendantNodes(node => node is CompilationUnitSyntax or BaseNamespaceDeclarationSyntax)
        .OfType<MemberDeclarationSyntax>()
        .Where(member => member is BaseTypeDeclarationSyntax or DelegateDeclarationSyntax);

    public IEnumerable<string> AllTypeNames() => Root.DescendantNodes()
        .Select(NameOf)
        .Where(name => name.Length > 0);

    public static string NameOf(SyntaxNode node) => node switch
    {
        BaseTypeDeclarationSyntax type => type.Identifier.ValueText,
        DelegateDeclarationSyntax type => type.Identifier.ValueText,
        _ => "",
    };
}
