namespace Gateway.StructureGenerator.Model;

/// <summary>One field of a structure, independent of the encoding.</summary>
/// <param name="Name">The property.</param>
/// <param name="ClrName">The property's whole type.</param>
/// <param name="Type">The field's type, of an array that of its elements.</param>
/// <param name="IsArray">One dimension; null where there is none.</param>
/// <param name="IsNullableValue">A value type that may be null.</param>
/// <param name="IsOptional">The field may be absent; null stands for that.</param>
/// <param name="Ordinal">An optional field's bit in the mask; a union field's switch value, from 1.</param>
/// <param name="PassesOverUnknown">Of an ExtensionObject: one of an unknown type is null.</param>
/// <param name="AllowedBase">The structure whose subtypes this ExtensionObject may hold; null for any.</param>
internal sealed record FieldModel(
    string Name,
    string ClrName,
    FieldType Type,
    bool IsArray,
    bool IsNullableValue,
    bool IsOptional,
    int Ordinal,
    bool PassesOverUnknown,
    string? AllowedBase);
