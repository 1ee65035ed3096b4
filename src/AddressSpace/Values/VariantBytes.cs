using System.Buffers.Binary;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Values;

/// <summary>Facts about a Variant that is still bytes. Source: Part 6 §5.2.2.16.</summary>
internal static class VariantBytes
{
    /// <summary>The number in a numeric scalar; NaN for everything else.</summary>
    public static double Numeric(ReadOnlySpan<byte> encoded)
    {
        if (encoded.Length < 2 || encoded[0] > (byte)BuiltInType.Double)
            return double.NaN;
        var body = encoded[1..];
        return ((BuiltInType)encoded[0], body.Length) switch
        {
            (BuiltInType.SByte, 1) => (sbyte)body[0],
            (BuiltInType.Byte, 1) => body[0],
            (BuiltInType.Int16, 2) => BinaryPrimitives.ReadInt16LittleEndian(body),
            (BuiltInType.UInt16, 2) => BinaryPrimitives.ReadUInt16LittleEndian(body),
            (BuiltInType.Int32, 4) => BinaryPrimitives.ReadInt32LittleEndian(body),
            (BuiltInType.UInt32, 4) => BinaryPrimitives.ReadUInt32LittleEndian(body),
            (BuiltInType.Int64, 8) => BinaryPrimitives.ReadInt64LittleEndian(body),
            (BuiltInType.UInt64, 8) => BinaryPrimitives.ReadUInt64LittleEndian(body),
            (BuiltInType.Float, 4) => BinaryPrimitives.ReadSingleLittleEndian(body),
            (BuiltInType.Double, 8) => BinaryPrimitives.ReadDoubleLittleEndian(body),
            _ => double.NaN,
        };
    }
}
