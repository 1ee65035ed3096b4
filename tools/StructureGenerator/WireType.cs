using System.Collections.Generic;
using Microsoft.CodeAnalysis;

namespace Gateway.StructureGenerator;

/// <summary>How one property is read and written, as C# text, and the fewest bytes that it takes.</summary>
internal readonly struct WireType
{
    private const int LengthBytes = 4;
    private const string BuiltInType = "global::Gateway.Codec.Types.BuiltInType.";

    /// <summary>C# type to built-in type and its fewest bytes. Source: Part 6 §5.2.2.</summary>
    private static readonly Dictionary<string, (string BuiltIn, int Bytes)> BuiltIns = new()
    {
        ["bool"] = ("Boolean", 1),
        ["sbyte"] = ("SByte", 1),
        ["byte"] = ("Byte", 1),
        ["short"] = ("Int16", 2),
        ["ushort"] = ("UInt16", 2),
        ["int"] = ("Int32", 4),
        ["uint"] = ("UInt32", 4),
        ["long"] = ("Int64", 8),
        ["ulong"] = ("UInt64", 8),
        ["float"] = ("Float", 4),
        ["double"] = ("Double", 8),
        ["string"] = ("String", 4),
        ["System.DateTime"] = ("DateTime", 8),
        ["System.Guid"] = ("Guid", 16),
        ["byte[]"] = ("ByteString", 4),
        ["Gateway.Codec.Types.XmlElement"] = ("XmlElement", 4),
        ["Gateway.Codec.Types.NodeId"] = ("NodeId", 2),
        ["Gateway.Codec.Types.ExpandedNodeId"] = ("ExpandedNodeId", 2),
        ["Gateway.Codec.Types.StatusCode"] = ("StatusCode", 4),
        ["Gateway.Codec.Types.QualifiedName"] = ("QualifiedName", 6),
        ["Gateway.Codec.Types.LocalizedText"] = ("LocalizedText", 1),
        ["Gateway.Codec.Types.ExtensionObject"] = ("ExtensionObject", 3),
        ["Gateway.Codec.Types.DataValue"] = ("DataValue", 1),
        ["Gateway.Codec.Types.Variant"] = ("Variant", 1),
        ["Gateway.Codec.Types.DiagnosticInfo"] = ("DiagnosticInfo", 1),
    };

    private WireType(string read, string write, int minimumBytes)
    {
        Read = read;
        Write = write;
        MinimumBytes = minimumBytes;
    }

    public string Read { get; }

    public string Write { get; }

    public int MinimumBytes { get; }

    public static WireType Of(IPropertySymbol property)
    {
        var name = property.Name;
        var type = property.Type;
        if (BuiltIns.TryGetValue(NameOf(type), out var scalar))
            return new($"reader.Read{scalar.BuiltIn}()", $"writer.Write{scalar.BuiltIn}({name})", scalar.Bytes);
        if (type is IArrayTypeSymbol { Rank: 1 } array)
            return OfArray(name, array.ElementType);
        if (type is INamedTypeSymbol { EnumUnderlyingType: { } underlying })
        {
            var (builtIn, bytes) = BuiltIns[NameOf(underlying)];
            return new(
                $"({NameOf(type)})reader.Read{builtIn}()",
                $"writer.Write{builtIn}(({NameOf(underlying)}){name})",
                bytes);
        }

        if (!StructureFields.IsStructure(type))
            return Unsupported(type);
        var orDefault = type.IsReferenceType ? $"({name} ?? new())" : name;
        return new(
            $"reader.ReadStructure<{NameOf(type)}>()",
            $"{orDefault}.Encode(ref writer)",
            StructureFields.MinimumSizeBytes((INamedTypeSymbol)type));
    }

    private static WireType OfArray(string name, ITypeSymbol element)
    {
        var elementName = NameOf(element);
        if (element.TypeKind == TypeKind.Enum)
            return OfArray(name, "BlittableArray", elementName);
        if (StructureFields.IsStructure(element))
            return OfArray(name, "StructureArray", elementName);
        if (!BuiltIns.TryGetValue(elementName, out var builtIn))
            return Unsupported(element);
        var type = BuiltInType + builtIn.BuiltIn;
        return new($"reader.ReadArray<{elementName}>({type})", $"writer.WriteArray({type}, {name})", LengthBytes);
    }

    private static WireType OfArray(string name, string verb, string elementName) =>
        new($"reader.Read{verb}<{elementName}>()", $"writer.Write{verb}({name})", LengthBytes);

    private static WireType Unsupported(ITypeSymbol type) =>
        new("default!", $"\n#error {type.ToDisplayString()} has no encoding.\n", 0);

    public static string NameOf(ITypeSymbol type) =>
        type.WithNullableAnnotation(NullableAnnotation.None).ToDisplayString(NullableFlowState.None, Format);

    // Without "global::" and without "?": the key of the table, and unambiguous inside the namespace it is used in.
    private static readonly SymbolDisplayFormat Format = new(
        typeQualificationStyle: SymbolDisplayTypeQualificationStyle.NameAndContainingTypesAndNamespaces,
        miscellaneousOptions: SymbolDisplayMiscellaneousOptions.UseSpecialTypes);
}
