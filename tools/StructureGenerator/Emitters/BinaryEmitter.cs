using System.Linq;
using System.Text;
using Gateway.StructureGenerator.Model;

namespace Gateway.StructureGenerator.Emitters;

/// <summary>The reader and the writer of OPC UA Binary. Source: Part 6 §5.2.6–5.2.8.</summary>
internal sealed class BinaryEmitter : IStructureEmitter
{
    private const string Reader = "ref global::Gateway.Codec.Binary.UaBinaryReader reader";
    private const string Writer = "ref global::Gateway.Codec.Binary.UaBinaryWriter writer";

    public string Suffix => ".Binary";

    public string Emit(StructureModel structure)
    {
        var text = PartialType.Begin(structure);
        text.Append("    static int IStructure<").Append(structure.Name).Append(">.MinimumSizeBytes => ")
            .Append(BinaryField.MinimumBytes(structure)).Append(";\n\n");
        AppendDecode(text, structure);
        AppendEncode(text, structure);
        return text.Append("}\n").ToString();
    }

    /// <summary>The bits of the present optional fields, as C# text.</summary>
    public static string Mask(StructureModel structure)
    {
        var bits = structure.Fields.Where(static f => f.IsOptional)
            .Select(static f => $"\n            ({f.Name} is null ? 0u : {Bit(f)})").ToList();
        return bits.Count == 0 ? "0u" : string.Join(" |", bits);
    }

    private static void AppendDecode(StringBuilder text, StructureModel structure)
    {
        text.Append("    public static ").Append(structure.IsDerived ? "new " : "").Append(structure.Name)
            .Append(" Decode(").Append(Reader).Append(')');
        switch (structure.Kind)
        {
            case StructureKind.Structure:
                text.Append(" => ");
                AppendFields(text, structure, "    ");
                text.Append(";\n\n");
                break;
            case StructureKind.OptionalFields:
                text.Append("\n    {\n        var present = reader.ReadOptionalFieldMask(")
                    .Append(structure.Fields.Count(static f => f.IsOptional)).Append(");\n        return ");
                AppendFields(text, structure, "        ");
                text.Append(";\n    }\n\n");
                break;
            default:
                AppendChoice(text, structure);
                break;
        }
    }

    private static void AppendFields(StringBuilder text, StructureModel structure, string indent)
    {
        text.Append("new()");
        if (structure.Fields.Count == 0)
            return;
        text.Append('\n').Append(indent).Append("{\n");
        foreach (var field in structure.Fields)
        {
            text.Append(indent).Append("    ").Append(field.Name).Append(" = ");
            if (field.IsOptional)
                text.Append("(present & ").Append(Bit(field)).Append(") == 0 ? null : ");
            text.Append(BinaryField.Read(field)).Append(",\n");
        }

        text.Append(indent).Append('}');
    }

    private static void AppendChoice(StringBuilder text, StructureModel structure)
    {
        text.Append(" => reader.ReadSwitchField(").Append(structure.Fields.Count).Append(") switch\n    {\n");
        foreach (var field in structure.Fields)
        {
            text.Append("        ").Append(field.Ordinal).Append("u => new() { _switchField = ").Append(field.Ordinal)
                .Append("u, ").Append(field.Name).Append(" = ").Append(BinaryField.Read(field)).Append(" },\n");
        }

        text.Append("        _ => new(),\n    };\n\n");
    }

    private static void AppendEncode(StringBuilder text, StructureModel structure)
    {
        var modifier = structure.IsDerived ? "override " :
            structure.IsValueType ? "readonly " :
            structure.IsSealed ? "" : "virtual ";
        text.Append("    public ").Append(modifier).Append("void Encode(").Append(Writer).Append(")\n    {\n");
        if (structure.Kind == StructureKind.Union)
            AppendChosen(text, structure);
        else
            AppendAll(text, structure);
        text.Append("    }\n");
    }

    private static void AppendAll(StringBuilder text, StructureModel structure)
    {
        if (structure.Kind == StructureKind.OptionalFields)
            text.Append("        writer.WriteUInt32(").Append(Mask(structure)).Append(");\n");
        foreach (var field in structure.Fields)
        {
            if (!field.IsOptional)
            {
                text.Append("        ").Append(BinaryField.Write(field, field.Name)).Append(";\n");
                continue;
            }

            var value = "field" + field.Ordinal;
            text.Append("        if (").Append(field.Name).Append(" is { } ").Append(value).Append(")\n            ")
                .Append(BinaryField.Write(field, value)).Append(";\n");
        }
    }

    private static void AppendChosen(StringBuilder text, StructureModel structure)
    {
        text.Append("        writer.WriteUInt32(SwitchField);\n        switch (SwitchField)\n        {\n");
        foreach (var field in structure.Fields)
        {
            var value = field.IsNullableValue ? field.Name + ".GetValueOrDefault()" : field.Name;
            text.Append("            case ").Append(field.Ordinal).Append("u:\n                ")
                .Append(BinaryField.Write(field, value)).Append(";\n                break;\n");
        }

        text.Append("        }\n");
    }

    private static string Bit(FieldModel field) => $"0x{1u << field.Ordinal:X}u";
}
