using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Gateway.StructureGenerator.Model;

/// <summary>Reads the model from a declaration and says what is wrong with it. The declaration is the only source:
/// the order of the properties is the order of the fields.</summary>
internal sealed class ModelReader
{
    /// <summary>Bits of the mask. Source: Part 6 §5.2.7.</summary>
    private const int MaxOptionalFields = 32;

    /// <summary>Members that a reader of JSON tells apart in 64 bits, without those of a mask or a switch.</summary>
    private const int MaxFields = 62;

    private readonly List<Problem> _problems = [];

    /// <summary>The structure that is read and those around it.</summary>
    private readonly HashSet<INamedTypeSymbol> _open = new(SymbolEqualityComparer.Default);

    public static ReadResult Read(INamedTypeSymbol type)
    {
        var reader = new ModelReader();
        var model = reader.ReadStructure(type);
        if (type.ContainingType is not null)
            reader.Report(type, $"{type.Name} is inside another type. A structure stands in a namespace.");
        return new ReadResult(reader._problems.Count == 0 ? model : null, new(reader._problems));
    }

    private StructureModel ReadStructure(INamedTypeSymbol type)
    {
        _open.Add(type);
        var kind = KindOf(type);
        var fields = ReadFields(type, kind);
        _open.Remove(type);
        var ids = Declaration.IdsOf(type);
        return new StructureModel(
            type.ContainingNamespace.ToDisplayString(),
            type.Name,
            (type.IsRecord ? "record " : "") + (type.IsValueType ? "struct" : "class"),
            type.IsValueType,
            type.IsSealed,
            Declaration.IsStructure(type.BaseType),
            ids.DataType,
            ids.BinaryEncoding,
            kind,
            new(fields));
    }

    /// <summary>A derived structure is of its base's kind, too: one mask has the optional fields of both.</summary>
    private StructureKind KindOf(INamedTypeSymbol type)
    {
        var own = Declaration.OwnKindOf(type);
        var above = Declaration.IsStructure(type.BaseType) ? KindOf(type.BaseType!) : StructureKind.Structure;
        if (own == StructureKind.Union && (type.IsValueType || Declaration.IsStructure(type.BaseType)))
            Report(type, $"{type.Name} is a union. A union is a class and derives from no other structure.");
        else if (above == StructureKind.Union)
            Report(type, $"{type.Name} derives from a union.");
        return own == StructureKind.Structure ? above : own;
    }

    private List<FieldModel> ReadFields(INamedTypeSymbol type, StructureKind kind)
    {
        var fields = new List<FieldModel>();
        var optional = 0;
        foreach (var property in PropertiesOf(type))
        {
            var isOptional = Declaration.IsOptional(property);
            var ordinal = kind == StructureKind.Union ? fields.Count + 1 : isOptional ? optional++ : 0;
            CheckKind(property, kind, isOptional);
            if (ReadField(property, kind == StructureKind.Union || isOptional) is { } field)
                fields.Add(field with { IsOptional = isOptional, Ordinal = ordinal });
        }

        if (fields.Count > MaxFields)
            Report(type, $"{type.Name} has {fields.Count} fields. A reader tells {MaxFields} apart.");
        if (optional > MaxOptionalFields)
            Report(type, $"{type.Name} has {optional} optional fields. The mask has {MaxOptionalFields} bits.");
        return fields;
    }

    private void CheckKind(IPropertySymbol property, StructureKind kind, bool isOptional)
    {
        if (isOptional && kind != StructureKind.OptionalFields)
            Report(property, $"{property.Name} is optional, but its structure has no optional fields.");
        if (Declaration.AllowedBaseOf(property) is null)
            return;
        if (kind == StructureKind.OptionalFields)
            Report(property, $"{property.Name} allows subtypes. A structure with optional fields cannot.");
        if (NameOf(property.Type) is not ("Gateway.Codec.Types.ExtensionObject" or
            "Gateway.Codec.Types.ExtensionObject[]" or "Gateway.Codec.Types.ExtensionObject?"))
            Report(property, $"{property.Name} allows subtypes. Only an ExtensionObject can hold them.");
    }

    /// <param name="property">The declaration.</param>
    /// <param name="mayBeAbsent">Null stands for a field that is not there.</param>
    private FieldModel? ReadField(IPropertySymbol property, bool mayBeAbsent)
    {
        var type = property.Type;
        var isNullableValue = false;
        if (mayBeAbsent)
        {
            isNullableValue = type.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T;
            if (isNullableValue)
                type = ((INamedTypeSymbol)type).TypeArguments[0];
            else if (type.IsValueType)
                Report(property, $"{property.Name} may be absent, so its type must be able to be null.");
        }

        var isArray = type is IArrayTypeSymbol { Rank: 1 } && NameOf(type) != "byte[]";
        var element = isArray ? ((IArrayTypeSymbol)type).ElementType : type;
        if (TypeOf(element, property, isInline: !isArray && !mayBeAbsent) is { } fieldType)
        {
            var allowedBase = Declaration.AllowedBaseOf(property) is { } allowed ? NameOf(allowed) : null;
            return new(
                property.Name, NameOf(property.Type), fieldType, isArray, isNullableValue, false, 0,
                Declaration.PassesOverUnknown(property), allowedBase);
        }

        _problems.Add(Problem.At(
            property, ProblemKind.NoEncoding, $"{property.Name}: {property.Type.ToDisplayString()} has no encoding."));
        return null;
    }

    private FieldType? TypeOf(ITypeSymbol type, IPropertySymbol property, bool isInline)
    {
        var name = NameOf(type);
        if (ClrTypes.BuiltIns.TryGetValue(name, out var builtIn))
            return new FieldType.OfBuiltIn(name, builtIn);
        if (type is not INamedTypeSymbol named)
            return null;
        if (named.EnumUnderlyingType is { } underlying)
            return new FieldType.OfEnumeration(name, NameOf(underlying), ClrTypes.BuiltIns[NameOf(underlying)]);
        if (!Declaration.IsStructure(named))
            return null;
        if (isInline && _open.Contains(named))
        {
            Report(property, $"{property.Name} is of a structure that contains it.");
            isInline = false;
        }

        return new FieldType.OfStructure(name, named.IsReferenceType, isInline ? ReadStructure(named) : null);
    }

    private static IEnumerable<IPropertySymbol> PropertiesOf(INamedTypeSymbol type)
    {
        var inherited = Declaration.IsStructure(type.BaseType) ? PropertiesOf(type.BaseType!) : [];
        return inherited.Concat(type.GetMembers().OfType<IPropertySymbol>().Where(IsField));
    }

    // A computed property is a convenience and no field; a record's EqualityContract is implicit.
    private static bool IsField(IPropertySymbol property) =>
        !property.IsStatic && !property.IsImplicitlyDeclared && property.SetMethod is not null &&
        property.ExplicitInterfaceImplementations.IsEmpty;

    private static string NameOf(ITypeSymbol type) =>
        type.WithNullableAnnotation(NullableAnnotation.None).ToDisplayString(NullableFlowState.None, ClrTypes.Format);

    private void Report(ISymbol symbol, string message) =>
        _problems.Add(Problem.At(symbol, ProblemKind.Declaration, message));
}
