using System.Collections.Generic;
using System.Linq;
using Gateway.StructureGenerator.Model;

namespace Gateway.StructureGenerator.Emitters;

/// <summary>The tables of all structures of the assembly that declares <c>StructureRegistry</c>.</summary>
internal static class RegistryEmitter
{
    public const string Registry = "Gateway.Codec.Structures.StructureRegistry";

    public static string Emit(IReadOnlyCollection<StructureModel> structures)
    {
        var text = PartialType.BeginFile()
            .Append("public static partial class StructureRegistry\n{\n")
            .Append("    private static partial StructureEntry[] Register() =>\n    [\n");
        foreach (var structure in structures.OrderBy(static s => s.DataTypeId))
        {
            text.Append("        new(").Append(structure.DataTypeId).Append(", ").Append(structure.BinaryEncodingId)
                .Append(", typeof(").Append(structure.ClrName)
                .Append("), static (ref global::Gateway.Codec.Binary.UaBinaryReader reader) => ")
                .Append("reader.ReadBody<").Append(structure.ClrName).Append(">()),\n");
        }

        return text.Append("    ];\n}\n").ToString();
    }

    public static string EmitJson(IReadOnlyCollection<StructureModel> structures)
    {
        var text = PartialType.BeginFile("Gateway.Codec.Json")
            .Append("partial class DeclaredStructures\n{\n")
            .Append("    private static partial DeclaredStructure[] Register() =>\n    [\n");
        foreach (var structure in structures.OrderBy(static s => s.DataTypeId))
        {
            text.Append("        new DeclaredStructure.Of<").Append(structure.ClrName).Append(">(")
                .Append(structure.DataTypeId).Append(", ").Append(structure.BinaryEncodingId).Append("),\n");
        }

        return text.Append("    ];\n}\n").ToString();
    }
}
