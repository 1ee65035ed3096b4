namespace Gateway.StructureGenerator.Model;

/// <summary>The type of a field, or of an array's elements.</summary>
/// <param name="ClrName">Its C# type with the namespace, without <c>?</c>.</param>
internal abstract record FieldType(string ClrName)
{
    internal sealed record OfBuiltIn(string ClrName, BuiltIn Type) : FieldType(ClrName);

    internal sealed record OfEnumeration(string ClrName, string UnderlyingName, BuiltIn Underlying)
        : FieldType(ClrName);

    /// <param name="ClrName">Its C# type.</param>
    /// <param name="IsReference">A class, not a struct.</param>
    /// <param name="Inline">The structure itself where each value of the outer one has exactly one. Null for an array
    /// and for a field that may be absent: such a field may also be of the type that contains it.</param>
    internal sealed record OfStructure(string ClrName, bool IsReference, StructureModel? Inline) : FieldType(ClrName);
}
