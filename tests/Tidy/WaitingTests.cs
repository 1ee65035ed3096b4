using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Gateway.Tidy;

/// <summary>Sleeps are found by <see cref="TextTests"/>; a loop that looks again and again is a sleep, too.
/// </summary>
public sealed class WaitingTests
{
    [Fact]
    public void Tests_All_AwaitWhatTheyWaitFor() => ExceptionList.Check("polling",
        from file in Repository.Sources
        where file.IsTest
        from call in file.Root.DescendantNodes().OfType<InvocationExpressionSyntax>()
        let name = call.Expression.ToString().Split('.')
        where name[^1] == "SpinUntil" || (name is [.., "Thread" or "Task", "Yield"] && IsInLoop(call))
        select new Finding(file.Path, $"line {LineOf(call)}: {call.Expression} polls: await the event"));

    private static bool IsInLoop(SyntaxNode node) => node.Ancestors()
        .TakeWhile(parent => parent is not (MemberDeclarationSyntax or LocalFunctionStatementSyntax))
        .Any(parent =>
            parent is WhileStatementSyntax or DoStatementSyntax or ForStatementSyntax or CommonForEachStatementSyntax);

    private static int LineOf(SyntaxNode node) => node.GetLocation().GetLineSpan().StartLinePosition.Line + 1;
}
