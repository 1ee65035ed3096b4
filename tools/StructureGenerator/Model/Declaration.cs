using System.Linq;
using Microsoft.CodeAnalysis;

namespace Gateway.StructureGenerator.Model;

/// <summary>Reads the attributes of a declaration.</summary>
internal static class Declaration
{
    public const string StructureAttribute = Namespace + ".StructureAttribute";

    private const string Namespace = "Gateway.Codec.Structures";

    public static bool IsStructure(ITypeSymbol? type) =>
        type is not null && Find(type, "StructureAttribute") is not null;

    public static (uint DataType, uint BinaryEncoding) IdsOf(INamedTypeSymbol type)
    {
        var ids = Find(type, "StructureAttribute")!.ConstructorArguments;
        return ((uint)ids[0].Value!, (uint)ids[1].Value!);
    }

    /// <summary>Without what the base type adds. Allowed subtypes are a matter of the field.</summary>
    public static StructureKind OwnKindOf(INamedTypeSymbol type)
    {
        var named = Find(type, "StructureAttribute")!.NamedArguments
            .FirstOrDefault(static a => a.Key == "StructureType");
        // The numbers of StructureType: Part 3 §8.48.
        return named.Value.Value switch
        {
            1 => StructureKind.OptionalFields,
            2 or 4 => StructureKind.Union,
            _ => StructureKind.Structure,
        };
    }

    public static bool IsOptional(IPropertySymbol property) => Find(property, "OptionalFieldAttribute") is not null;

    public static bool PassesOverUnknown(IPropertySymbol property) =>
        Find(property, "PassOverUnknownAttribute") is not null;

    public static ITypeSymbol? AllowedBaseOf(IPropertySymbol property) =>
        Find(property, "AllowSubtypesAttribute")?.ConstructorArguments[0].Value as ITypeSymbol;

    private static AttributeData? Find(ISymbol symbol, string attribute) => symbol.GetAttributes().FirstOrDefault(a =>
        a.AttributeClass is { } type && type.Name == attribute &&
        type.ContainingNamespace.ToDisplayString() == Namespace);
}
