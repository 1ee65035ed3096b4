using System.Text;
using Gateway.StructureGenerator.Model;

namespace Gateway.StructureGenerator.Emitters;

/// <summary>Members that do not depend on an encoding: the ids, a union's switch field, and the memory that a value
/// takes.
/// </summary>
internal sealed class IdentityEmitter : IStructureEmitter
{
    /// <summary>Header, and rounding up.</summary>
    private const int ObjectBytes = 24;

    public string Suffix => "";

    public string Emit(StructureModel structure)
    {
        var name = structure.Name;
        var text = PartialType.Begin(structure, $" : IStructure<{name}>");
        text.Append("    public ").Append(structure.IsDerived ? "new " : "")
            .Append("const uint BinaryEncodingId = ").Append(structure.BinaryEncodingId).Append(";\n\n");
        text.Append("    uint IStructure.DataTypeId => ").Append(structure.DataTypeId).Append(";\n\n");
        text.Append("    uint IStructure.BinaryEncodingId => BinaryEncodingId;\n\n");
        if (structure.Kind == StructureKind.Union)
            AppendSwitchField(text, structure);
        text.Append("    static int IStructure<").Append(name).Append(">.MemoryBytes =>\n        ");
        AppendMemory(text, structure);
        return text.Append(";\n}\n").ToString();
    }

    // The number that was read is kept: the field that it names may be null.
    private static void AppendSwitchField(StringBuilder text, StructureModel structure)
    {
        text.Append("    private uint _switchField;\n\n")
            .Append("    /// <summary>The position of the field that the union holds, from 1; 0 for none.</summary>\n")
            .Append("    public uint SwitchField =>\n        _switchField != 0 ? _switchField :\n");
        foreach (var field in structure.Fields)
            text.Append("        ").Append(field.Name).Append(" is not null ? ").Append(field.Ordinal).Append("u :\n");
        text.Append("        0u;\n\n");
    }

    // Sizes of fields are constants once the code is compiled. A field that is an object is made twice: its default by
    // the declaration, and the value that is read, which is charged by its own.
    private static void AppendMemory(StringBuilder text, StructureModel structure)
    {
        text.Append(ObjectBytes);
        if (structure.IsValueType)
        {
            AppendSize(text, structure.ClrName);
            return;
        }

        foreach (var field in structure.Fields)
        {
            AppendSize(text, field.ClrName);
            if (field.Type is not FieldType.OfStructure { IsReference: true, Inline: { } inline })
                continue;
            text.Append(" + ");
            AppendMemory(text, inline);
        }

        if (structure.Kind == StructureKind.Union)
            AppendSize(text, "uint");
    }

    private static void AppendSize(StringBuilder text, string type) => text
        .Append("\n        + global::System.Runtime.CompilerServices.Unsafe.SizeOf<").Append(type).Append(">()");
}
