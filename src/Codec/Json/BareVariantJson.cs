using Gateway.Codec.Binary;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>The value of a Variant alone, its type known from elsewhere: a scalar, an array, or arrays of arrays for a
/// matrix.</summary>
internal static class BareVariantJson
{
    public static Variant Read(ref UaJsonReader reader, BuiltInType type)
    {
        if (reader.IsStartArray)
            return ReadArrays(ref reader, type);
        if (type is not (BuiltInType.Null or BuiltInType.Variant))
            return VariantScalarJson.Read(ref reader, type);
        reader.Expected("an array of Variants");
        return default;
    }

    /// <summary>Numbers that may stand there by a name.</summary>
    public static Variant ReadNumbers(ref UaJsonReader reader, JsonNumberReader read) => reader.IsStartArray
        ? ReadArrays(ref reader, BuiltInType.Int32, (ref r) => ArrayJson.ReadEach(ref r, (ref one) => read(ref one)))
        : new Variant(read(ref reader));

    // A method of its own, so that a scalar allocates no delegate.
    private static Variant ReadArrays(ref UaJsonReader reader, BuiltInType type) =>
        ReadArrays(ref reader, type, (ref r) => ArrayJson.Read(ref r, type));

    private static Variant ReadArrays(ref UaJsonReader reader, BuiltInType type, JsonRowReader read)
    {
        if (ReadArrays(ref reader, read, out var dimensions) is not { } elements)
            return default;
        return dimensions.Length == 1
            ? Variant.FromArray(type, elements)
            : Variant.FromMatrix(type, new Matrix(elements, dimensions));
    }

    /// <summary>All elements, in the order of the text. Null after an error.</summary>
    public static Array? ReadArrays(ref UaJsonReader reader, JsonRowReader read, out int[] dimensions)
    {
        dimensions = [];
        if (!HoldsArrays(ref reader))
        {
            var row = read(ref reader);
            dimensions = [row?.Length ?? 0];
            return row;
        }

        var (lengths, rows) = (new int[VariantBinary.MaxDimensions], new List<Array>());
        var levels = ReadRows(ref reader, read, 0, lengths, rows);
        if (reader.Failed)
            return null;
        dimensions = lengths[..levels];
        var elements = Array.CreateInstance(rows[0].GetType().GetElementType()!, rows.Sum(static row => row.Length));
        var first = 0;
        foreach (var row in rows)
        {
            row.CopyTo(elements, first);
            first += row.Length;
        }

        return elements;
    }

    private static bool HoldsArrays(ref UaJsonReader reader)
    {
        var here = reader.Here;
        var holds = reader.NextElement() && reader.IsStartArray;
        reader.Rewind(here);
        return holds;
    }

    /// <summary>One level of arrays. All arrays of a level are of one length.</summary>
    /// <returns>How many levels there are.</returns>
    private static int ReadRows(
        ref UaJsonReader reader, JsonRowReader read, int level, int[] lengths, List<Array> rows)
    {
        if (level == VariantBinary.MaxDimensions)
        {
            reader.Fail(StatusCodes.BadEncodingLimitsExceeded, "too many dimensions");
            return 0;
        }

        if (!HoldsArrays(ref reader))
            return ReadRow(ref reader, read, level, lengths, rows);
        var (count, levels) = (0, 0);
        for (reader.BeginArray(); reader.NextElement(); count++)
        {
            var below = ReadRows(ref reader, read, level + 1, lengths, rows);
            if (count > 0 && below != levels)
                reader.Expected("arrays of the same depth");
            levels = below;
        }

        CheckLength(ref reader, level, lengths, count);
        return levels;
    }

    private static int ReadRow(
        ref UaJsonReader reader, JsonRowReader read, int level, int[] lengths, List<Array> rows)
    {
        if (read(ref reader) is not { } row || !reader.TryCharge(DecodedSize.OfArray<byte>(row.Length)))
            return 0;
        rows.Add(row);
        CheckLength(ref reader, level, lengths, row.Length);
        return level + 1;
    }

    /// <summary>The first array of a level sets the length of the others. A length of 0 means none yet, so an empty
    /// array is an error.</summary>
    private static void CheckLength(ref UaJsonReader reader, int level, int[] lengths, int count)
    {
        if (count == 0 || (lengths[level] != 0 && lengths[level] != count))
            reader.Expected("arrays of the same length, and none of them empty");
        lengths[level] = count;
    }
}
