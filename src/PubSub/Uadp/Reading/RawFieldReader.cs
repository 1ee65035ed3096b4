using Gateway.Codec.Binary;
using Gateway.Codec.Structures;

namespace Gateway.PubSub.Uadp.Reading;

/// <summary>Makes of a field in RawData the bytes of its Variant: puts the header in front, leaves the padding out. See
/// <see cref="RawFieldWriter"/> for the shape. Source: Part 14 §7.2.4.5.11.</summary>
internal static class RawFieldReader
{
    private const int ArrayFlag = 0x80;
    private const int DimensionsFlag = 0x40;

    /// <summary>False: the metadata has no form in RawData, or the bytes are not what it says.</summary>
    /// <param name="reader">At the field; behind it afterwards.</param>
    /// <param name="field">Its metadata.</param>
    /// <param name="variant">Where the Variant goes.</param>
    public static bool TryRead(ref UaBinaryReader reader, FieldMetaData field, ref UaBinaryWriter variant)
    {
        if (!RawField.TryOf(field, out var raw))
            return false;
        if (raw.Rank == 0)
        {
            variant.WriteByte((byte)raw.Type);
            return TryElement(ref reader, raw, ref variant);
        }

        variant.WriteByte((byte)((int)raw.Type | ArrayFlag | (raw.Rank > 1 ? DimensionsFlag : 0)));
        return raw.Rank == 1 ? TryArray(ref reader, raw, ref variant) : TryMatrix(ref reader, raw, ref variant);
    }

    private static bool TryArray(ref UaBinaryReader reader, in RawField raw, ref UaBinaryWriter variant)
    {
        var count = reader.ReadInt32();
        variant.WriteInt32(count < 0 ? -1 : count);
        Span<int> lengths = [Math.Max(0, count)];
        return IsWithin(raw, lengths, reader.Remaining) && TryDimension(ref reader, raw, lengths, 0, ref variant);
    }

    private static bool TryMatrix(ref UaBinaryReader reader, in RawField raw, ref UaBinaryWriter variant)
    {
        if (reader.ReadInt32() != raw.Rank)
            return false;
        Span<int> lengths = stackalloc int[raw.Rank];
        long count = 1;
        foreach (ref var length in lengths)
        {
            length = reader.ReadInt32();
            count = Math.Min(int.MaxValue, count * Math.Max(0, length));
        }

        if (reader.Failed || !IsWithin(raw, lengths, reader.Remaining))
            return false;
        variant.WriteInt32((int)count);
        if (!TryDimension(ref reader, raw, lengths, 0, ref variant))
            return false;
        variant.WriteInt32(raw.Rank);
        foreach (var length in lengths)
            variant.WriteInt32(length);
        return true;
    }

    /// <summary>No length above the metadata's, and no more elements than the bytes left can hold.</summary>
    private static bool IsWithin(in RawField raw, scoped ReadOnlySpan<int> lengths, int remaining)
    {
        long count = 1;
        for (var i = 0; i < lengths.Length; i++)
        {
            if (lengths[i] < 0 || (raw.Dimensions.Length > 0 && (uint)lengths[i] > raw.Dimensions[i]))
                return false;
            count = Math.Min(int.MaxValue, count * lengths[i]);
        }

        var smallest = raw.IsText ? Math.Max(sizeof(int), raw.ElementBytes) : raw.ElementBytes;
        return count * smallest <= remaining && raw.BytesFrom(0) <= remaining;
    }

    private static bool TryDimension(
        ref UaBinaryReader reader, in RawField raw, scoped ReadOnlySpan<int> lengths, int at,
        ref UaBinaryWriter variant)
    {
        var length = lengths[at];
        if (at < raw.Rank - 1)
        {
            // Rows without an element have no byte that would bound their number.
            if (raw.Dimensions.IsEmpty && lengths.Contains(0))
                return true;
            for (var i = 0; i < length; i++)
            {
                if (!TryDimension(ref reader, raw, lengths, at + 1, ref variant))
                    return false;
            }
        }
        else if (raw.IsText)
        {
            for (var i = 0; i < length; i++)
            {
                if (!TryElement(ref reader, raw, ref variant))
                    return false;
            }
        }
        else if (!TryCopy(ref reader, (long)length * raw.ElementBytes, ref variant))
        {
            return false;
        }

        return raw.Dimensions.IsEmpty ||
            TrySkip(ref reader, (raw.Dimensions[at] - (long)length) * raw.BytesFrom(at + 1));
    }

    private static bool TryElement(ref UaBinaryReader reader, in RawField raw, ref UaBinaryWriter variant)
    {
        if (!raw.IsText)
            return TryCopy(ref reader, raw.ElementBytes, ref variant);
        var length = reader.ReadInt32();
        if (reader.Failed || (raw.MaxStringLength != 0 && length > raw.MaxStringLength))
            return false;
        variant.WriteInt32(Math.Max(-1, length));
        length = Math.Max(0, length);
        return TryCopy(ref reader, length, ref variant) &&
            TrySkip(ref reader, raw.ElementBytes == 0 ? 0 : raw.ElementBytes - sizeof(int) - length);
    }

    private static bool TryCopy(ref UaBinaryReader reader, long bytes, ref UaBinaryWriter variant)
    {
        var start = reader.Position;
        if (!TrySkip(ref reader, bytes))
            return false;
        variant.WriteRaw(reader.Slice(start, reader.Position));
        return !variant.Failed;
    }

    private static bool TrySkip(ref UaBinaryReader reader, long bytes)
    {
        if (bytes > reader.Remaining)
            return false;
        reader.Skip((int)bytes);
        return !reader.Failed;
    }
}
