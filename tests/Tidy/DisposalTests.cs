using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Gateway.Tidy;

/// <summary>xUnit 2 disposes a test class by IDisposable or IAsyncLifetime, and leaves one that has only
/// IAsyncDisposable as it is: its gateways and processes stay.</summary>
public sealed class DisposalTests
{
    [Fact]
    public void TestClasses_OfTheirOwnEnd_AreDisposed() => Finding.None(
        from file in Repository.Sources
        where file.IsTest
        from type in file.Root.DescendantNodes().OfType<ClassDeclarationSyntax>()
        where type.Members.OfType<MethodDeclarationSyntax>().Any(IsTestMethod)
        let bases = type.BaseList?.Types.Select(one => one.Type.ToString()).ToArray() ?? []
        where bases.Contains("IAsyncDisposable") && !bases.Contains("IAsyncLifetime")
        select $"{file.Path}: {type.Identifier} needs IAsyncLifetime for its DisposeAsync");

    private static bool IsTestMethod(MethodDeclarationSyntax method) => method.AttributeLists
        .SelectMany(list => list.Attributes)
        .Any(one => one.Name.ToString() is "Fact" or "Theory");
}
