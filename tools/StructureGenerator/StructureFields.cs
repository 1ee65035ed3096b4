using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Gateway.StructureGenerator;

/// <summary>What a declaration puts on the wire: its properties in order, those of the base class first.</summary>
internal static class StructureFields
{
    public static bool IsStructureAttribute(AttributeData attribute) =>
        attribute.AttributeClass is { Name: "StructureAttribute" } type &&
        type.ContainingNamespace.ToDisplayString() == "Gateway.Codec.Structures";

    public static bool IsStructure(ITypeSymbol? type) => type?.GetAttributes().Any(IsStructureAttribute) == true;

    public static IReadOnlyList<IPropertySymbol> Of(INamedTypeSymbol type)
    {
        var fields = new List<IPropertySymbol>();
        if (type.BaseType is { } baseType && IsStructure(baseType))
            fields.AddRange(Of(baseType));
        fields.AddRange(type.GetMembers().OfType<IPropertySymbol>().Where(IsField));
        return fields;
    }

    public static int MinimumSizeBytes(INamedTypeSymbol type) => Of(type).Sum(static f => WireType.Of(f).MinimumBytes);

    // A computed property is a convenience and no field; a record's EqualityContract is implicit.
    private static bool IsField(IPropertySymbol property) =>
        !property.IsStatic && !property.IsImplicitlyDeclared && property.SetMethod is not null &&
        property.ExplicitInterfaceImplementations.IsEmpty;
}
