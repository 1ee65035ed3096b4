using System.Collections.Immutable;
using System.Linq;
using System.Text;
using Microsoft.CodeAnalysis;

namespace Gateway.StructureGenerator;

/// <summary>
/// Writes the reader and the writer of every declaration that carries <c>[Structure]</c>, and the table that finds a
/// structure by its encoding id. The declaration is the only source: order of properties is order on the wire.
/// </summary>
[Generator]
public sealed class StructureSourceGenerator : IIncrementalGenerator
{
    private const string Attribute = "Gateway.Codec.Structures.StructureAttribute";

    public void Initialize(IncrementalGeneratorInitializationContext context)
    {
        // Each structure becomes its finished text at once: strings compare by value, so nothing is written twice.
        var structures = context.SyntaxProvider.ForAttributeWithMetadataName(
            Attribute,
            static (_, _) => true,
            static (syntax, _) => StructureSource.Make((INamedTypeSymbol)syntax.TargetSymbol));
        context.RegisterSourceOutput(
            structures,
            static (output, structure) => output.AddSource(structure.Name + ".g.cs", structure.Text));
        context.RegisterSourceOutput(
            structures.Select(static (structure, _) => (structure.Name, structure.EncodingId)).Collect(),
            static (output, all) => output.AddSource("StructureRegistry.g.cs", MakeRegistry(all)));
    }

    private static string MakeRegistry(ImmutableArray<(string Name, uint EncodingId)> structures)
    {
        var text = new StringBuilder(StructureSource.Header)
            .Append("public static partial class StructureRegistry\n{\n")
            .Append("    private static partial ")
            .Append("global::System.Collections.Generic.Dictionary<uint, DecodeStructure> Register() => new(")
            .Append(structures.Length).Append(")\n    {\n");
        foreach (var (name, encodingId) in structures.OrderBy(static s => s.EncodingId))
        {
            text.Append("        [").Append(encodingId)
                .Append("] = static (ref global::Gateway.Codec.Binary.UaBinaryReader reader) => ")
                .Append("reader.ReadBody<").Append(name).Append(">(),\n");
        }

        return text.Append("    };\n}\n").ToString();
    }
}
