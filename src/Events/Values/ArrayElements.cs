using Gateway.Codec.Types;

namespace Gateway.Events.Values;

/// <summary>Arrays as Variants of their elements.</summary>
internal static class ArrayElements
{
    /// <summary>False for an element of a type that filters do not know.</summary>
    public static bool TryGet(in Variant array, int index, out Variant element)
    {
        object? boxed = array.Elements?.GetValue(index);
        element = (array.Type, boxed) switch
        {
            (BuiltInType.Boolean, bool value) => new Variant(value),
            (BuiltInType.SByte, sbyte value) => new Variant(value),
            (BuiltInType.Byte, byte value) => new Variant(value),
            (BuiltInType.Int16, short value) => new Variant(value),
            (BuiltInType.UInt16, ushort value) => new Variant(value),
            (BuiltInType.Int32, int value) => new Variant(value),
            (BuiltInType.UInt32, uint value) => new Variant(value),
            (BuiltInType.Int64, long value) => new Variant(value),
            (BuiltInType.UInt64, ulong value) => new Variant(value),
            (BuiltInType.Float, float value) => new Variant(value),
            (BuiltInType.Double, double value) => new Variant(value),
            (BuiltInType.String, string value) => new Variant(value),
            (BuiltInType.DateTime, DateTime value) => new Variant(value),
            (BuiltInType.Guid, Guid value) => new Variant(value),
            (BuiltInType.ByteString, byte[] value) => Variant.FromByteString(value),
            (BuiltInType.NodeId, NodeId value) => new Variant(value),
            (BuiltInType.ExpandedNodeId, ExpandedNodeId value) => new Variant(value),
            (BuiltInType.StatusCode, StatusCode value) => new Variant(value),
            (BuiltInType.QualifiedName, QualifiedName value) => new Variant(value),
            (BuiltInType.LocalizedText, LocalizedText value) => new Variant(value),
            (BuiltInType.Variant, Variant value) => value,
            _ => default,
        };
        return !element.IsNull;
    }

    /// <summary>All elements are of the type; the null Variant where filters do not know it.</summary>
    public static Variant Make(BuiltInType type, Variant[] elements)
    {
        Array? array = type switch
        {
            BuiltInType.Boolean => Array.ConvertAll(elements, static one => one.AsBoolean()),
            BuiltInType.SByte => Array.ConvertAll(elements, static one => (sbyte)one.AsInt64()),
            BuiltInType.Byte => Array.ConvertAll(elements, static one => (byte)one.AsInt64()),
            BuiltInType.Int16 => Array.ConvertAll(elements, static one => (short)one.AsInt64()),
            BuiltInType.UInt16 => Array.ConvertAll(elements, static one => (ushort)one.AsInt64()),
            BuiltInType.Int32 => Array.ConvertAll(elements, static one => one.AsInt32()),
            BuiltInType.UInt32 => Array.ConvertAll(elements, static one => one.AsUInt32()),
            BuiltInType.Int64 => Array.ConvertAll(elements, static one => one.AsInt64()),
            BuiltInType.UInt64 => Array.ConvertAll(elements, static one => one.AsUInt64()),
            BuiltInType.Float => Array.ConvertAll(elements, static one => one.AsFloat()),
            BuiltInType.Double => Array.ConvertAll(elements, static one => one.AsDouble()),
            BuiltInType.String => Array.ConvertAll(elements, static one => one.AsString()),
            BuiltInType.DateTime => Array.ConvertAll(elements, static one => one.AsDateTime()),
            BuiltInType.Guid => Array.ConvertAll(elements, static one => one.AsGuid()),
            BuiltInType.ByteString => Array.ConvertAll(elements, static one => one.AsByteString()),
            BuiltInType.NodeId => Array.ConvertAll(elements, static one => one.AsNodeId()),
            BuiltInType.ExpandedNodeId => Array.ConvertAll(elements, static one => one.AsExpandedNodeId()),
            BuiltInType.StatusCode => Array.ConvertAll(elements, static one => one.AsStatusCode()),
            BuiltInType.QualifiedName => Array.ConvertAll(elements, static one => one.AsQualifiedName()),
            BuiltInType.LocalizedText => Array.ConvertAll(elements, static one => one.AsLocalizedText()),
            _ => null,
        };
        return array is null ? default : Variant.FromArray(type, array);
    }
}
