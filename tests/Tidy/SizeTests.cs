using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Gateway.Tidy;

public sealed class SizeTests
{
    private const int MaxColumns = 120;

    private static readonly (int File, int Method) ForSources = (400, 60);
    private static readonly (int File, int Method) ForOthers = (500, 70);

    [Fact]
    public void SourceFiles_All_AtMostSoManyLines() => ExceptionList.Check("file-length",
        from file in Repository.Sources
        where file.Lines.Count > MaxOf(file).File
        select new Finding(file.Path, $"{file.Lines.Count} lines"));

    [Fact]
    public void Methods_All_AtMostSoManyLines() => ExceptionList.Check("method-length",
        from file in Repository.Sources
        from method in file.Root.DescendantNodes().Where(IsMethod)
        let lines = LinesOf(method)
        where lines > MaxOf(file).Method
        select new Finding($"{file.Path}#{NameOf(method)}", $"{lines} lines"));

    [Fact]
    public void Lines_All_AtMost120Columns() => ExceptionList.Check("line-width",
        from file in Repository.Sources
        from line in file.Lines.Index()
        where line.Item.Length > MaxColumns
        select new Finding(file.Path, $"line {line.Index + 1} has {line.Item.Length} columns"));

    private static (int File, int Method) MaxOf(SourceFile file) =>
        file.Path.StartsWith("src/", StringComparison.Ordinal) ? ForSources : ForOthers;

    private static bool IsMethod(SyntaxNode node) =>
        node is BaseMethodDeclarationSyntax or AccessorDeclarationSyntax or LocalFunctionStatementSyntax;

    private static int LinesOf(SyntaxNode method)
    {
        SyntaxList<AttributeListSyntax> attributes = method switch
        {
            MemberDeclarationSyntax member => member.AttributeLists,
            LocalFunctionStatementSyntax local => local.AttributeLists,
            _ => default,
        };
        int start = attributes.Count == 0 ? method.SpanStart : attributes[^1].GetLastToken().GetNextToken().SpanStart;
        FileLinePositionSpan span =
            method.SyntaxTree.GetLineSpan(new Microsoft.CodeAnalysis.Text.TextSpan(start, method.Span.End - start));
        return span.EndLinePosition.Line - span.StartLinePosition.Line + 1;
    }

    private static string NameOf(SyntaxNode method) => method switch
    {
        MethodDeclarationSyntax named => named.Identifier.ValueText,
        ConstructorDeclarationSyntax constructor => constructor.Identifier.ValueText,
        LocalFunctionStatementSyntax local => local.Identifier.ValueText,
        AccessorDeclarationSyntax { Parent.Parent: PropertyDeclarationSyntax owner } => owner.Identifier.ValueText,
        _ => method.Kind().ToString(),
    };
}
