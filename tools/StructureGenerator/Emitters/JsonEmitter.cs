using System.Collections.Generic;
using System.Linq;
using System.Text;
using Gateway.StructureGenerator.Model;

namespace Gateway.StructureGenerator.Emitters;

/// <summary>The reader and the writer of OPC UA JSON. Source: Part 6 §5.4.6 to §5.4.8, Part 6 §H.10.</summary>
internal sealed class JsonEmitter : IStructureEmitter
{
    private const string Interface = " : global::Gateway.Codec.Json.IJsonStructure<";
    private const string Reader = "ref global::Gateway.Codec.Json.UaJsonReader reader";
    private const string Writer = "global::Gateway.Codec.Json.UaJsonWriter writer";

    public string Suffix => ".Json";

    public string Emit(StructureModel structure)
    {
        var text = PartialType.Begin(structure, Interface + structure.Name + ">", "Gateway.Codec.Json");
        AppendNames(text, structure);
        AppendDecode(text, structure);
        AppendEncode(text, structure);
        return text.Append("}\n").ToString();
    }

    /// <summary>The optional fields first: their positions are their bits.</summary>
    private static List<FieldModel> Ordered(StructureModel structure) =>
        [.. structure.Fields.OrderBy(static f => f.IsOptional ? 0 : 1)];

    private static void AppendNames(StringBuilder text, StructureModel structure)
    {
        var names = Ordered(structure).Select(static f => f.Name);
        if (structure.Kind == StructureKind.OptionalFields)
            names = names.Append("EncodingMask");
        else if (structure.Kind == StructureKind.Union)
            names = names.Append("SwitchField").Append("Value");
        text.Append("    private static readonly byte[][] JsonMembers =\n    [\n");
        foreach (var name in names)
            text.Append("        \"").Append(name).Append("\"u8.ToArray(),\n");
        text.Append("    ];\n\n");
    }

    private static void AppendDecode(StringBuilder text, StructureModel structure)
    {
        text.Append("    public static ").Append(structure.IsDerived ? "new " : "").Append(structure.Name)
            .Append(" Decode(").Append(Reader).Append(")\n    {\n");
        if (structure.Kind == StructureKind.Union)
            AppendReadUnion(text, structure);
        else
            AppendReadFields(text, structure);
        text.Append("    }\n\n");
    }

    private static void AppendReadFields(StringBuilder text, StructureModel structure)
    {
        var fields = Ordered(structure);
        var hasMask = structure.Kind == StructureKind.OptionalFields;
        if (fields.Count == 0 && !hasMask)
        {
            text.Append("        var read = 0UL;\n        reader.NextField(JsonMembers, ref read, out _);\n")
                .Append("        return new();\n");
            return;
        }

        AppendMembers(text, fields, hasMask);
        text.Append("        return new()\n        {\n");
        for (var i = 0; i < fields.Count; i++)
        {
            text.Append("            ").Append(fields[i].Name).Append(" = ");
            if (fields[i].IsOptional)
                text.Append("(present & 0x").Append((1u << i).ToString("X")).Append("u) == 0 ? null : ");
            text.Append(JsonField.Value(fields[i], "field" + i)).Append(",\n");
        }

        text.Append("        };\n");
    }

    private static void AppendMembers(StringBuilder text, List<FieldModel> fields, bool hasMask)
    {
        for (var i = 0; i < fields.Count; i++)
        {
            text.Append("        ").Append(JsonField.Local(fields[i])).Append(" field").Append(i)
                .Append(" = default;\n");
        }

        if (hasMask)
            text.Append("        uint? mask = null;\n");
        text.Append("        var read = 0UL;\n")
            .Append("        while (reader.NextField(JsonMembers, ref read, out var member))\n")
            .Append("        {\n            switch (member)\n            {\n");
        for (var i = 0; i < fields.Count; i++)
            AppendCase(text, i, $"field{i} = {JsonField.Read(fields[i])}");
        if (hasMask)
            AppendCase(text, fields.Count, "mask = reader.ReadUInt32()");
        text.Append("            }\n        }\n\n");
        if (hasMask)
        {
            text.Append("        var present = reader.PresentFields(read, mask, ")
                .Append(fields.Count(static f => f.IsOptional)).Append(");\n");
        }
    }

    private static void AppendCase(StringBuilder text, int member, string statement) => text
        .Append("                case ").Append(member).Append(":\n                    ").Append(statement)
        .Append(";\n                    break;\n");

    private static void AppendReadUnion(StringBuilder text, StructureModel structure)
    {
        text.Append("        var union = global::Gateway.Codec.Json.UnionMembers.Begin(ref reader, JsonMembers);\n")
            .Append("        var value = union.SwitchField switch\n        {\n");
        foreach (var field in structure.Fields)
        {
            text.Append("            ").Append(field.Ordinal).Append("u => new() { _switchField = ")
                .Append(field.Ordinal).Append("u, ").Append(field.Name).Append(" = union.HasValue ? ")
                .Append(JsonField.Read(field)).Append(" : ").Append(DefaultOf(field)).Append(" },\n");
        }

        text.Append("            _ => new ").Append(structure.Name).Append("(),\n        };\n")
            .Append("        union.End(ref reader);\n        return value;\n");
    }

    private static string DefaultOf(FieldModel field) =>
        field is { IsArray: false, Type: FieldType.OfStructure { IsReference: true } } ? "new()"
        : field.IsNullableValue ? $"default({field.Type.ClrName})"
        : "null";

    private static void AppendEncode(StringBuilder text, StructureModel structure)
    {
        var modifier = structure.IsDerived ? "override " :
            structure.IsValueType ? "readonly " :
            structure.IsSealed ? "" : "virtual ";
        text.Append("    public ").Append(modifier).Append("void Encode(").Append(Writer).Append(")\n    {\n");
        if (structure.Kind == StructureKind.Union)
            AppendWriteUnion(text, structure);
        else
            AppendWriteFields(text, structure);
        text.Append("    }\n");
    }

    private static void AppendWriteFields(StringBuilder text, StructureModel structure)
    {
        text.Append("        writer.BeginStructure();\n");
        if (structure.Kind == StructureKind.OptionalFields)
            text.Append("        writer.WriteEncodingMask(").Append(BinaryEmitter.Mask(structure)).Append(");\n");
        foreach (var field in structure.Fields)
        {
            var name = $"\"{field.Name}\"u8";
            if (!field.IsOptional)
            {
                text.Append("        ").Append(JsonField.Write(field, name, field.Name)).Append(";\n");
                continue;
            }

            var value = "field" + field.Ordinal;
            text.Append("        if (").Append(field.Name).Append(" is { } ").Append(value).Append(")\n            ")
                .Append(JsonField.Write(field, name, value)).Append(";\n");
        }

        text.Append("        writer.EndObject();\n");
    }

    private static void AppendWriteUnion(StringBuilder text, StructureModel structure)
    {
        text.Append("        writer.BeginUnion(SwitchField);\n        switch (SwitchField)\n        {\n");
        foreach (var field in structure.Fields)
        {
            var value = field.IsNullableValue ? field.Name + ".GetValueOrDefault()" : field.Name;
            text.Append("            case ").Append(field.Ordinal).Append("u:\n                ")
                .Append(JsonField.Write(field, $"writer.UnionFieldName(\"{field.Name}\"u8)", value))
                .Append(";\n                break;\n");
        }

        text.Append("        }\n\n        writer.EndUnion();\n");
    }
}
