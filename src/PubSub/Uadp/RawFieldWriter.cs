using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;

namespace Gateway.PubSub.Uadp;

/// <summary>
/// Fields in RawData: the value without the header of its Variant. Shape: a scalar as it is; an array as its length and
/// elements; more dimensions as an Int32[] of their lengths and the elements. Text and arrays that are shorter than the
/// metadata allows end with zeros, in each dimension, so that all that follows keeps its place.
/// Source: Part 14 §7.2.4.5.11, Part 6 §5.2.5.
/// </summary>
internal static class RawFieldWriter
{
    private const int ArrayFlag = 0x80;
    private const int DimensionsFlag = 0x40;
    private const int TypeMask = 0x3F;

    private static readonly byte[] Zeros = new byte[256];

    /// <summary>False: the value is not what the metadata says; what was written of it has to be taken back.</summary>
    /// <param name="writer">Where it goes.</param>
    /// <param name="field">Its metadata.</param>
    /// <param name="variant">The value's bytes; empty writes the default of the type.</param>
    public static bool TryWrite(ref UaBinaryWriter writer, FieldMetaData field, ReadOnlySpan<byte> variant)
    {
        if (!RawField.TryOf(field, out var raw))
            return false;
        if (variant.IsEmpty || variant[0] == 0)
        {
            WriteDefault(ref writer, raw);
            return true;
        }

        var encoding = variant[0];
        if ((encoding & TypeMask) != (int)raw.Type || (encoding & ArrayFlag) != 0 != raw.Rank > 0)
            return false;
        return raw.Rank == 0
            ? TryWriteElement(ref writer, raw, variant[1..])
            : TryWriteArray(ref writer, raw, variant[1..], (encoding & DimensionsFlag) != 0);
    }

    public static void WriteZeros(ref UaBinaryWriter writer, long count)
    {
        while (count > 0 && !writer.Failed)
        {
            var step = (int)Math.Min(count, Zeros.Length);
            writer.WriteRaw(Zeros.AsSpan(0, step));
            count -= step;
        }
    }

    private static void WriteDefault(ref UaBinaryWriter writer, in RawField raw)
    {
        if (raw.Rank == 0)
        {
            if (raw.IsText)
                writer.WriteInt32(-1);
            WriteZeros(ref writer, raw.ElementBytes - (raw.IsText ? sizeof(int) : 0));
            return;
        }

        // No elements: a null array, or dimensions of zero.
        writer.WriteInt32(raw.Rank == 1 ? -1 : raw.Rank);
        if (raw.Rank > 1)
            WriteZeros(ref writer, (long)raw.Rank * sizeof(int));
        WriteZeros(ref writer, raw.BytesFrom(0));
    }

    /// <summary>The one element that the bytes hold.</summary>
    private static bool TryWriteElement(ref UaBinaryWriter writer, in RawField raw, ReadOnlySpan<byte> rest) =>
        TryWriteNext(ref writer, raw, ref rest) && rest.IsEmpty;

    private static bool TryWriteNext(ref UaBinaryWriter writer, in RawField raw, ref ReadOnlySpan<byte> rest)
    {
        var length = raw.ElementBytes;
        if (raw.IsText)
        {
            if (rest.Length < sizeof(int))
                return false;
            var text = BinaryPrimitives.ReadInt32LittleEndian(rest);
            if (text > (raw.MaxStringLength == 0 ? int.MaxValue - sizeof(int) : raw.MaxStringLength))
                return false;
            length = sizeof(int) + Math.Max(0, text);
        }

        if (length > rest.Length)
            return false;
        writer.WriteRaw(rest[..length]);
        WriteZeros(ref writer, raw.ElementBytes - length);
        rest = rest[length..];
        return true;
    }

    private static bool TryWriteArray(
        ref UaBinaryWriter writer, in RawField raw, ReadOnlySpan<byte> rest, bool hasDimensions)
    {
        if (rest.Length < sizeof(int))
            return false;
        var count = BinaryPrimitives.ReadInt32LittleEndian(rest);
        rest = rest[sizeof(int)..];
        Span<int> lengths = stackalloc int[raw.Rank];
        lengths[0] = Math.Max(0, count);
        if (raw.Rank > 1)
        {
            var bytes = raw.Rank * sizeof(int);
            if (!hasDimensions || rest.Length < bytes + sizeof(int) ||
                BinaryPrimitives.ReadInt32LittleEndian(rest[^(bytes + sizeof(int))..]) != raw.Rank)
                return false;
            rest[^bytes..].CopyTo(MemoryMarshal.AsBytes(lengths));
            rest = rest[..^(bytes + sizeof(int))];
        }

        for (var i = 0; i < raw.Dimensions.Length; i++)
        {
            if ((uint)lengths[i] > raw.Dimensions[i])
                return false;
        }

        writer.WriteInt32(raw.Rank == 1 ? count : raw.Rank);
        for (var i = 0; raw.Rank > 1 && i < raw.Rank; i++)
            writer.WriteInt32(lengths[i]);
        return raw.BytesFrom(0) < int.MaxValue && TryWriteDimension(ref writer, raw, ref rest, lengths, 0);
    }

    /// <summary>As deep as the rank, which is bounded.</summary>
    private static bool TryWriteDimension(
        ref UaBinaryWriter writer, in RawField raw, ref ReadOnlySpan<byte> rest, scoped ReadOnlySpan<int> lengths,
        int at)
    {
        var length = lengths[at];
        if (length < 0)
            return false;
        if (at < raw.Rank - 1)
        {
            // Rows without an element have no byte that would bound their number.
            if (raw.Dimensions.IsEmpty && lengths.Contains(0))
                return rest.IsEmpty;
            for (var i = 0; i < length && !writer.Failed; i++)
            {
                if (!TryWriteDimension(ref writer, raw, ref rest, lengths, at + 1))
                    return false;
            }
        }
        else if (raw.IsText)
        {
            for (var i = 0; i < length && !writer.Failed; i++)
            {
                if (!TryWriteNext(ref writer, raw, ref rest))
                    return false;
            }
        }
        else
        {
            var bytes = (long)length * raw.ElementBytes;
            if (bytes > rest.Length)
                return false;
            writer.WriteRaw(rest[..(int)bytes]);
            rest = rest[(int)bytes..];
        }

        if (!raw.Dimensions.IsEmpty)
            WriteZeros(ref writer, (raw.Dimensions[at] - (long)length) * raw.BytesFrom(at + 1));
        return true;
    }
}
