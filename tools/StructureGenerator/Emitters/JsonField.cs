using Gateway.StructureGenerator.Model;

namespace Gateway.StructureGenerator.Emitters;

/// <summary>How one field is read and written in OPC UA JSON, as C# text.</summary>
internal static class JsonField
{
    private const string BuiltInType = "global::Gateway.Codec.Types.BuiltInType.";

    public static string Read(FieldModel field)
    {
        var array = field.IsArray ? "Array" : "";
        if (field.AllowedBase is { } allowed)
            return $"reader.ReadSubtype{array}<{allowed}>()";
        if (field.PassesOverUnknown)
            return "reader.ReadKnownExtensionObject()";
        var name = field.Type.ClrName;
        return field.Type switch
        {
            FieldType.OfEnumeration => $"reader.ReadEnumeration{array}<{name}>()",
            FieldType.OfBuiltIn type when field.IsArray => $"reader.ReadArray<{name}>({BuiltInType}{type.Type})",
            FieldType.OfBuiltIn type => $"reader.Read{type.Type}()",
            _ => $"reader.ReadStructure{array}<{name}>()",
        };
    }

    /// <param name="field">The field.</param>
    /// <param name="name">The expression of its name.</param>
    /// <param name="value">The expression to write: of a field that may be absent, its value when present.</param>
    public static string Write(FieldModel field, string name, string value)
    {
        var array = field.IsArray ? "Array" : "";
        return field.Type switch
        {
            FieldType.OfEnumeration => $"writer.WriteEnumeration{array}Field({name}, {value})",
            FieldType.OfBuiltIn type when field.IsArray =>
                $"writer.WriteArrayField({name}, {BuiltInType}{type.Type}, {value})",
            FieldType.OfBuiltIn => $"writer.WriteField({name}, {value})",
            _ => $"writer.WriteStructure{array}Field({name}, {value})",
        };
    }

    /// <summary>Of the variable that holds the field until the structure is made: null is the default of all that are
    /// objects.</summary>
    public static string Local(FieldModel field) =>
        field.Type.ClrName + (field.IsArray ? "[]?" : IsValue(field) ? "" : "?");

    /// <summary>The expression that the field gets from that variable.</summary>
    public static string Value(FieldModel field, string local) =>
        field is { IsArray: false, Type: FieldType.OfStructure { IsReference: true } } ? $"{local} ?? new()" : local;

    private static bool IsValue(FieldModel field) => field.Type switch
    {
        FieldType.OfStructure type => !type.IsReference,
        FieldType.OfBuiltIn type => type.Type is not (BuiltIn.String or BuiltIn.ByteString or BuiltIn.DiagnosticInfo),
        _ => true,
    };
}
