using System.Linq;
using Gateway.StructureGenerator.Model;

namespace Gateway.StructureGenerator.Emitters;

/// <summary>How one field is read and written in OPC UA Binary, as C# text, and the fewest bytes that it takes.
/// </summary>
internal static class BinaryField
{
    private const int LengthBytes = 4;
    private const int MaskBytes = 4;
    private const string BuiltInType = "global::Gateway.Codec.Types.BuiltInType.";

    public static int MinimumBytes(StructureModel structure) => structure.Kind switch
    {
        StructureKind.Union => MaskBytes,
        StructureKind.OptionalFields => MaskBytes + structure.Fields.Sum(MinimumBytes),
        _ => structure.Fields.Sum(MinimumBytes),
    };

    public static string Read(FieldModel field)
    {
        if (field.AllowedBase is { } allowed)
            return $"reader.ReadSubtype{(field.IsArray ? "Array" : "")}<{allowed}>()";
        var name = field.Type.ClrName;
        return field.Type switch
        {
            FieldType.OfEnumeration when field.IsArray => $"reader.ReadBlittableArray<{name}>()",
            FieldType.OfEnumeration type => $"({name})reader.Read{type.Underlying}()",
            FieldType.OfBuiltIn type when field.IsArray => $"reader.ReadArray<{name}>({BuiltInType}{type.Type})",
            FieldType.OfBuiltIn type => $"reader.Read{type.Type}()",
            _ => $"reader.ReadStructure{(field.IsArray ? "Array" : "")}<{name}>()",
        };
    }

    /// <param name="field">The field.</param>
    /// <param name="value">The expression to write: of a field that may be absent, its value when present.</param>
    public static string Write(FieldModel field, string value) => field.Type switch
    {
        FieldType.OfEnumeration when field.IsArray => $"writer.WriteBlittableArray({value})",
        FieldType.OfEnumeration type => $"writer.Write{type.Underlying}(({type.UnderlyingName}){value})",
        FieldType.OfBuiltIn type when field.IsArray => $"writer.WriteArray({BuiltInType}{type.Type}, {value})",
        FieldType.OfBuiltIn type => $"writer.Write{type.Type}({value})",
        _ when field.IsArray => $"writer.WriteStructureArray({value})",
        FieldType.OfStructure { IsReference: true } when !field.IsOptional => $"({value} ?? new()).Encode(ref writer)",
        _ => $"{value}.Encode(ref writer)",
    };

    private static int MinimumBytes(FieldModel field) => field switch
    {
        { IsOptional: true } => 0,
        { IsArray: true } => LengthBytes,
        { Type: FieldType.OfEnumeration type } => MinimumBytes(type.Underlying),
        { Type: FieldType.OfBuiltIn type } => MinimumBytes(type.Type),
        { Type: FieldType.OfStructure { Inline: { } inline } } => MinimumBytes(inline),
        _ => 0,
    };

    /// <summary>Source: Part 6 §5.2.2.</summary>
    private static int MinimumBytes(BuiltIn type) => type switch
    {
        BuiltIn.Boolean or BuiltIn.SByte or BuiltIn.Byte => 1,
        BuiltIn.LocalizedText or BuiltIn.DataValue or BuiltIn.Variant or BuiltIn.DiagnosticInfo => 1,
        BuiltIn.Int16 or BuiltIn.UInt16 or BuiltIn.NodeId or BuiltIn.ExpandedNodeId => 2,
        BuiltIn.ExtensionObject => 3,
        BuiltIn.QualifiedName => 6,
        BuiltIn.Int64 or BuiltIn.UInt64 or BuiltIn.Double or BuiltIn.DateTime => 8,
        BuiltIn.Guid => 16,
        _ => 4,
    };
}
