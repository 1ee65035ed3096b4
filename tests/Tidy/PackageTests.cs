using System.Xml.Linq;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Gateway.Tidy;

public sealed class PackageTests
{
    private const string Versions = "Directory.Packages.props";

    /// <summary>Packages without a namespace of their own that a source would name: the build or the test host reads
    /// them.</summary>
    private static readonly string[] Tools =
        ["Microsoft.CodeAnalysis.BannedApiAnalyzers", "Microsoft.NET.Test.Sdk", "xunit.runner.visualstudio"];

    [Fact]
    public void References_All_AreUsed()
    {
        List<(string File, string Package)> references = [.. Referenced()];
        Assert.NotEmpty(references);
        Finding.None(
            from reference in references
            where !Tools.Contains(reference.Package) && !IsUsed(reference.File, reference.Package)
            select $"{reference.File}: no source names a namespace of {reference.Package}: remove the reference");
    }

    /// <summary>A version without a reference pins a package that another one brings: then a lock file names it.
    /// </summary>
    [Fact]
    public void Versions_All_AreReferencedOrPinATransitivePackage()
    {
        HashSet<string> referenced = [.. Referenced().Select(reference => reference.Package)];
        List<string> locks = [.. Repository.Files(".", "packages.lock.json").Select(Repository.Read)];
        Finding.None(
            from version in Named(Versions, "PackageVersion")
            where !referenced.Contains(version) && !locks.Any(text => text.Contains($"\"{version}\": {{"))
            select $"{Versions}: no project references {version}, and no other package brings it: remove the row");
    }

    private static IEnumerable<(string File, string Package)> Referenced() =>
        from file in Repository.Projects.Concat(Repository.Files(".", "Directory.Build.props"))
        from package in Named(file, "PackageReference")
        select (file, package);

    private static IEnumerable<string> Named(string file, string element) => XDocument.Parse(Repository.Read(file))
        .Descendants(element)
        .Select(reference => reference.Attribute("Include")!.Value);

    /// <summary>A namespace begins as the package's name does, or the other way (<c>Polly</c> of Polly.Core).</summary>
    private static bool IsUsed(string file, string package)
    {
        string folder = file.Contains('/') ? file[..(file.LastIndexOf('/') + 1)] : "";
        bool isNamed = Repository.Sources
            .Where(source => source.Path.StartsWith(folder, StringComparison.Ordinal))
            .SelectMany(source => source.Root.DescendantNodes().OfType<UsingDirectiveSyntax>())
            .Select(directive => directive.NamespaceOrType.ToString())
            .Any(name => IsOf(name, package));
        return isNamed || Named(file, "Using").Any(name => IsOf(name, package));
    }

    private static bool IsOf(string name, string package) =>
        name is not ("System" or "Microsoft")
        && ((name + '.').StartsWith(package + '.', StringComparison.OrdinalIgnoreCase)
            || package.StartsWith(name + '.', StringComparison.Ordinal));
}
