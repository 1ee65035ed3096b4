namespace Gateway.StructureGenerator.Model;

/// <summary>A declared structure, independent of any encoding. Emitters make text from it and from nothing else. It
/// holds no compiler symbol and compares by value.</summary>
/// <param name="Namespace">Of the type.</param>
/// <param name="Name">Of the type.</param>
/// <param name="Keyword">The text before the name: <c>class</c>, <c>record struct</c> …</param>
/// <param name="IsValueType">A struct.</param>
/// <param name="IsSealed">Nothing derives from it.</param>
/// <param name="IsDerived">Its base type is a structure, too.</param>
/// <param name="DataTypeId">Numeric id of the DataType, namespace 0.</param>
/// <param name="BinaryEncodingId">Numeric id of its Default Binary encoding, namespace 0.</param>
/// <param name="Kind">Which fields a value has.</param>
/// <param name="Fields">In the order of the declaration, those of the base type first.</param>
internal sealed record StructureModel(
    string Namespace,
    string Name,
    string Keyword,
    bool IsValueType,
    bool IsSealed,
    bool IsDerived,
    uint DataTypeId,
    uint BinaryEncodingId,
    StructureKind Kind,
    EquatableArray<FieldModel> Fields)
{
    public string ClrName => $"{Namespace}.{Name}";
}
