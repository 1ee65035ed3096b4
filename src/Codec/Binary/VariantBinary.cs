using System.Runtime.InteropServices;
using Gateway.Codec.Types;

namespace Gateway.Codec.Binary;

/// <summary>Variant: encoding byte (bits 0–5 type, 0x40 dimensions present, 0x80 array), value or length and
/// elements, dimensions. Types 26–31 are read as ByteString (Part 6 §5.2.2.16). Errors: dimensions whose product is
/// not the number of elements are Bad_DecodingError.</summary>
internal static class VariantBinary
{
    public const byte DimensionsFlag = 0x40;
    public const byte ArrayFlag = 0x80;

    /// <summary>More is no value but an attack on its reader.</summary>
    public const int MaxDimensions = 32;

    /// <summary>Of the six lowest bits; more than 31 is no type.</summary>
    public static BuiltInType TypeOf(byte encoding) =>
        (encoding & 0x3F) > 25 ? BuiltInType.ByteString : (BuiltInType)(encoding & 0x3F);

    /// <summary>In place; empty also for null.</summary>
    public static ReadOnlySpan<int> ReadDimensions(ref UaBinaryReader reader) =>
        MemoryMarshal.Cast<byte, int>(reader.ReadBlittableArray(sizeof(int), out _));

    public static Variant Read(ref UaBinaryReader reader)
    {
        if (!reader.TryEnter())
            return default;
        var encoding = reader.ReadByte();
        var code = encoding & 0x3F;
        if (code > 31)
            reader.Fail(StatusCodes.BadDecodingError);
        var type = TypeOf(encoding);
        var value = (encoding & ArrayFlag) == 0
            ? ReadScalar(ref reader, type, (encoding & DimensionsFlag) != 0)
            : ReadArray(ref reader, type, (encoding & DimensionsFlag) != 0);
        reader.Leave();
        return value;
    }

    public static void Write(ref UaBinaryWriter writer, in Variant value)
    {
        if (value.IsScalar)
        {
            writer.WriteByte((byte)value.Type);
            VariantScalarBinary.Write(ref writer, value);
            return;
        }

        var matrix = value.AsMatrix();
        writer.WriteByte((byte)((byte)value.Type | ArrayFlag | (matrix is null ? 0 : DimensionsFlag)));
        ArrayBinary.Write(ref writer, value.Type, value.Elements);
        if (matrix is not null)
            writer.WriteBlittableArray<int>(matrix.Dimensions);
    }

    private static Variant ReadScalar(ref UaBinaryReader reader, BuiltInType type, bool hasDimensions)
    {
        // A scalar Variant cannot hold a Variant, and dimensions belong to arrays.
        if (hasDimensions || type == BuiltInType.Variant)
        {
            reader.Fail(StatusCodes.BadDecodingError);
            return default;
        }

        return VariantScalarBinary.Read(ref reader, type);
    }

    private static Variant ReadArray(ref UaBinaryReader reader, BuiltInType type, bool hasDimensions)
    {
        if (type == BuiltInType.Null)
        {
            reader.Fail(StatusCodes.BadDecodingError);
            return default;
        }

        var elements = ArrayBinary.Read(ref reader, type);
        if (!hasDimensions)
            return Variant.FromArray(type, elements);
        var dimensions = reader.ReadBlittableArray<int>();
        if (reader.Failed)
            return default;
        if (dimensions is null or { Length: 0 })
            return Variant.FromArray(type, elements);
        if (dimensions.Length > MaxDimensions)
        {
            reader.Fail(StatusCodes.BadEncodingLimitsExceeded);
            return default;
        }

        if (Product(dimensions) != (elements?.Length ?? 0))
        {
            reader.Fail(StatusCodes.BadDecodingError);
            return default;
        }

        return dimensions.Length == 1 || elements is null
            ? Variant.FromArray(type, elements)
            : Variant.FromMatrix(type, new Matrix(elements, dimensions));
    }

    /// <summary>−1 where a dimension is negative or the product leaves Int32.</summary>
    public static long Product(ReadOnlySpan<int> dimensions)
    {
        long product = 1;
        foreach (var dimension in dimensions)
        {
            if (dimension < 0)
                return -1;
            product *= dimension;
            if (product > int.MaxValue)
                return -1;
        }

        return product;
    }
}
