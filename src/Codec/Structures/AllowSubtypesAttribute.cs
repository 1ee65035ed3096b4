namespace Gateway.Codec.Structures;

/// <summary>The ExtensionObject (or each of the array) holds a structure of this type or of one that derives from it.
/// A reader refuses another structure that the codec knows with Bad_DecodingError; it keeps an unknown one, which may
/// be a subtype that a companion specification defines. Source: Part 6 §5.1.7.</summary>
[AttributeUsage(AttributeTargets.Property)]
public sealed class AllowSubtypesAttribute(Type baseType) : Attribute
{
    public Type BaseType { get; } = baseType;
}
