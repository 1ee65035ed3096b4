using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Gateway.Tidy;

public sealed partial class RuleTests
{
    /// <summary>Classes below tests/, and the attacks of docs/security.md.</summary>
    private static readonly Lazy<HashSet<string>> Known = new(() =>
    [
        .. Repository.Sources.Where(file => file.IsTest).SelectMany(file => file.AllTypeNames())
            .Where(name => name.EndsWith("Tests", StringComparison.Ordinal)),
        .. AttackRow().Matches(Repository.Read("docs/security.md")).Select(match => match.Groups[1].Value),
    ]);

    private static readonly Lazy<HashSet<string>> SourceNames = new(() =>
    [
        .. from file in Repository.Sources
           where file.Path.StartsWith("src/", StringComparison.Ordinal)
           from node in file.Root.DescendantNodes()
           let name = node is PropertyDeclarationSyntax property
               ? property.Identifier.ValueText
               : SourceFile.NameOf(node)
           where name.Length > 0
           select name,
    ]);

    [Fact]
    public void Rows_All_StandOnceInOrder()
    {
        Assert.NotEmpty(RuleTable.Rows);
        Assert.Equal(
            Enumerable.Range(1, RuleTable.Rows.Count).Select(number => $"R{number:00}"),
            RuleTable.Rows.Select(row => row.Rule));
    }

    [Fact]
    public void Rows_All_NameATestOrSayThatThereIsNone() => Finding.None(
        from row in RuleTable.Rows
        where !Code().IsMatch(row.Tests) && !row.Tests.Contains("No test", StringComparison.Ordinal)
        select $"{row.Rule}: names no test and does not say 'No test'");

    [Fact]
    public void Tests_ThatRowsName_Exist() => Finding.None(
        from row in RuleTable.Rows
        from Match code in Code().Matches(row.Tests)
        let name = code.Groups[1].Value
        where !Known.Value.Contains(name)
        select $"{row.Rule}: there is no test class and no attack in docs/security.md called {name}");

    [Fact]
    public void Names_ThatRowsName_ExistInTheSources() => Finding.None(
        from row in RuleTable.Rows
        from Match code in PascalWord().Matches(row.Holds)
        let name = code.Groups[1].Value
        where !SourceNames.Value.Contains(name)
        select $"{row.Rule}: src has no type and no property called {name}");

    [GeneratedRegex("`([^`]+)`")]
    private static partial Regex Code();

    [GeneratedRegex("^\\| `([a-z-]+)` \\|", RegexOptions.Multiline)]
    private static partial Regex AttackRow();

    [GeneratedRegex("`([A-Z][A-Za-z0-9]+)`")]
    private static partial Regex PascalWord();
}
