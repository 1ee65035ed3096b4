using Gateway.StructureGenerator.Emitters;
using Gateway.StructureGenerator.Model;
using Microsoft.CodeAnalysis;

namespace Gateway.StructureGenerator;

/// <summary>
/// Writes the other half of every declaration that carries <c>[Structure]</c>, and the tables that find a structure
/// by its ids. A declaration becomes a model (<see cref="StructureModel"/>); each emitter makes one file of it. Models
/// compare by value: the compiler writes again only what has changed.
/// </summary>
[Generator]
public sealed class StructureSourceGenerator : IIncrementalGenerator
{
    private static readonly IStructureEmitter[] Emitters =
    [
        new IdentityEmitter(), new BinaryEmitter(), new JsonEmitter(),
    ];

    public void Initialize(IncrementalGeneratorInitializationContext context)
    {
        var results = context.SyntaxProvider.ForAttributeWithMetadataName(
            Declaration.StructureAttribute,
            static (_, _) => true,
            static (syntax, _) => ModelReader.Read((INamedTypeSymbol)syntax.TargetSymbol));
        context.RegisterSourceOutput(
            results.SelectMany(static (result, _) => result.Problems),
            static (output, problem) => output.ReportDiagnostic(problem.ToDiagnostic()));

        var structures = results.Where(static result => result.Model is not null)
            .Select(static (result, _) => result.Model!);
        foreach (var emitter in Emitters)
        {
            context.RegisterSourceOutput(structures, (output, structure) =>
                output.AddSource(structure.Name + emitter.Suffix + ".g.cs", emitter.Emit(structure)));
        }

        var hasRegistry = context.CompilationProvider.Select(static (compilation, _) =>
            compilation.Assembly.GetTypeByMetadataName(RegistryEmitter.Registry) is not null);
        var entries = structures.Select(static (structure, _) => structure with { Fields = default }).Collect();
        context.RegisterSourceOutput(entries.Combine(hasRegistry), static (output, all) =>
        {
            if (!all.Right)
                return;
            output.AddSource("StructureRegistry.g.cs", RegistryEmitter.Emit(all.Left));
            output.AddSource("DeclaredStructures.g.cs", RegistryEmitter.EmitJson(all.Left));
        });
    }
}
