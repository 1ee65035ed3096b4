using System.Buffers.Binary;
using Gateway.Codec.Types;

namespace Gateway.Publish.Items;

/// <summary>Deadbands on encoded numeric arrays, without decoding them: encoding byte, Int32 length, elements, perhaps
/// dimensions. Source: Part 6 §5.2.2.16, Part 4 §7.22.2.</summary>
internal static class NumericArray
{
    private const byte ArrayFlag = 0x80;
    private const int HeaderBytes = 1 + sizeof(int);

    public static bool IsNumericArray(ReadOnlySpan<byte> variant) =>
        variant.Length >= HeaderBytes && (variant[0] & ArrayFlag) != 0 &&
        (BuiltInType)(variant[0] & 0x3F) is >= BuiltInType.SByte and <= BuiltInType.Double;

    /// <summary>True when the shapes differ or one element differs by more than the deadband.</summary>
    public static bool AnyDiffers(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right, double deadband)
    {
        if (left.Length != right.Length || !left[..HeaderBytes].SequenceEqual(right[..HeaderBytes]))
            return true;
        var type = (BuiltInType)(left[0] & 0x3F);
        var size = SizeOf(type);
        var length = Math.Max(0, BinaryPrimitives.ReadInt32LittleEndian(left[1..]));
        var elements = (long)length * size;
        if (elements > left.Length - HeaderBytes)
            return true;
        var end = HeaderBytes + (int)elements;
        for (var i = HeaderBytes; i < end; i += size)
        {
            var difference = Math.Abs(Read(type, left[i..]) - Read(type, right[i..]));
            if (difference > deadband || (double.IsNaN(difference) && !SameBytes(left, right, i, size)))
                return true;
        }

        return !left[end..].SequenceEqual(right[end..]);
    }

    private static bool SameBytes(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right, int start, int size) =>
        left.Slice(start, size).SequenceEqual(right.Slice(start, size));

    private static int SizeOf(BuiltInType type) => type switch
    {
        BuiltInType.SByte or BuiltInType.Byte => 1,
        BuiltInType.Int16 or BuiltInType.UInt16 => 2,
        BuiltInType.Int32 or BuiltInType.UInt32 or BuiltInType.Float => 4,
        _ => 8,
    };

    private static double Read(BuiltInType type, ReadOnlySpan<byte> bytes) => type switch
    {
        BuiltInType.SByte => (sbyte)bytes[0],
        BuiltInType.Byte => bytes[0],
        BuiltInType.Int16 => BinaryPrimitives.ReadInt16LittleEndian(bytes),
        BuiltInType.UInt16 => BinaryPrimitives.ReadUInt16LittleEndian(bytes),
        BuiltInType.Int32 => BinaryPrimitives.ReadInt32LittleEndian(bytes),
        BuiltInType.UInt32 => BinaryPrimitives.ReadUInt32LittleEndian(bytes),
        BuiltInType.Int64 => BinaryPrimitives.ReadInt64LittleEndian(bytes),
        BuiltInType.UInt64 => BinaryPrimitives.ReadUInt64LittleEndian(bytes),
        BuiltInType.Float => BinaryPrimitives.ReadSingleLittleEndian(bytes),
        _ => BinaryPrimitives.ReadDoubleLittleEndian(bytes),
    };
}
