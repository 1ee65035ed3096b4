using Gateway.Codec.Structures;
using Gateway.StructureGenerator;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Gateway.Codec.Tests.Generator;

public sealed class StructureGeneratorTests
{
    private const string Optional = "StructureType = StructureType.StructureWithOptionalFields";
    private const string Union = "StructureType = StructureType.Union";

    private static readonly MetadataReference[] References =
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Append(typeof(IStructure).Assembly.Location)
            .Distinct()
            .Select(path => MetadataReference.CreateFromFile(path)),
    ];

    /// <summary>Every field of these is wrong in one way; the text names it.</summary>
    public static TheoryData<string, string, string> Wrong => new()
    {
        { "GWS001", "class S { public object? A { get; init; } }", "A: object? has no encoding." },
        { "GWS001", "class S { public int[,]? A { get; init; } }", "A: int[*,*]? has no encoding." },
        { "GWS001", "class S { public int? A { get; init; } }", "A: int? has no encoding." },
        { "GWS002", "class S { [OptionalField] public int? A { get; init; } }", "A is optional, but" },
        { "GWS002", "class S { public S A { get; init; } = new(); }", "A is of a structure that contains it." },
        { "GWS002", $"[{Optional}] class S {{ [OptionalField] public int A {{ get; init; }} }}", "A may be absent" },
        { "GWS002", $"[{Optional}] class S {{ {Many(33)} }}", "S has 33 optional fields." },
        { "GWS002", $"class S {{ {Many(63).Replace("[OptionalField]", "").Replace("?", "")} }}", "S has 63 fields." },
        { "GWS002", $"[{Union}] class S {{ public int A {{ get; init; }} }}", "A may be absent" },
        { "GWS002", $"[{Union}] struct S {{ public int? A {{ get; init; }} }}", "S is a union." },
        { "GWS002", $"[{Union}] class S : UserIdentityToken {{ public int? A {{ get; init; }} }}", "S is a union." },
        {
            "GWS002", "class S { [AllowSubtypes(typeof(Argument))] public int A { get; init; } }",
            "A allows subtypes. Only"
        },
        {
            "GWS002", $"[{Optional}] class S {{ [AllowSubtypes(typeof(Argument))] " +
                "public ExtensionObject A { get; init; } }", "A allows subtypes. A structure"
        },
    };

    [Theory]
    [MemberData(nameof(Wrong))]
    public void Generate_WrongDeclaration_IsADiagnosticAtItsPlace(string id, string declaration, string text)
    {
        var result = Run(Compile(Source(declaration)), out _).GetRunResult();

        var diagnostic = Assert.Single(result.Diagnostics);
        Assert.Equal((id, DiagnosticSeverity.Error), (diagnostic.Id, diagnostic.Severity));
        Assert.StartsWith(text, diagnostic.GetMessage());
        Assert.Equal("Declaration.cs", diagnostic.Location.GetLineSpan().Path);
        Assert.Empty(result.GeneratedTrees);
    }

    [Fact]
    public void Generate_AsManyOptionalFieldsAsTheMaskHas_Compiles()
    {
        Run(Compile(Source($"[{Optional}] class S {{ {Many(32)} }}")), out var compilation);

        Assert.Empty(compilation.GetDiagnostics().Where(d => d.Severity == DiagnosticSeverity.Error));
    }

    /// <summary>Models compare by value: what does not change the declaration writes nothing again.</summary>
    [Fact]
    public void Generate_ChangeElsewhere_ReusesEveryFile()
    {
        var declaration = Source($"[{Optional}] class S {{ public Argument A {{ get; init; }} = new(); {Many(2)} }}");
        var before = Compile(declaration);
        var driver = Run(before, out _);
        var same = CSharpSyntaxTree.ParseText("// A comment.\n" + declaration, path: "Declaration.cs");
        var after = before.ReplaceSyntaxTree(before.SyntaxTrees.Single(), same)
            .AddSyntaxTrees(CSharpSyntaxTree.ParseText("class Other;"));

        var result = driver.RunGenerators(after).GetRunResult().Results.Single();

        Assert.Equal(3, result.GeneratedSources.Length);
        Assert.All(
            result.TrackedOutputSteps.SelectMany(step => step.Value).SelectMany(step => step.Outputs),
            output => Assert.Equal(IncrementalStepRunReason.Cached, output.Reason));
    }

    /// <summary>The attribute's third part stands before the declaration in brackets.</summary>
    private static string Source(string declaration)
    {
        var end = declaration[0] == '[' ? declaration.IndexOf(']') : 0;
        var attribute = end == 0 ? "" : ", " + declaration[1..end];
        return $$"""
            using Gateway.Codec.Structures;
            using Gateway.Codec.Types;
            namespace Gateway.Codec.Structures;
            [Structure(1, 2{{attribute}})]
            public sealed partial {{declaration[(end == 0 ? 0 : end + 2)..]}}
            """.Replace("sealed partial struct", "partial struct");
    }

    private static string Many(int fields) => string.Join(
        '\n', Enumerable.Range(0, fields).Select(i => $"[OptionalField] public int? F{i} {{ get; init; }}"));

    private static CSharpCompilation Compile(string source) => CSharpCompilation.Create(
        "Sample",
        [CSharpSyntaxTree.ParseText(source, path: "Declaration.cs")],
        References,
        new(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable));

    private static GeneratorDriver Run(CSharpCompilation compilation, out Compilation updated) =>
        CSharpGeneratorDriver.Create(
            [new StructureSourceGenerator().AsSourceGenerator()],
            driverOptions: new(IncrementalGeneratorOutputKind.None, trackIncrementalGeneratorSteps: true))
        .RunGeneratorsAndUpdateCompilation(compilation, out updated, out _);
}
