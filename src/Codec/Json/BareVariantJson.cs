using Gateway.Codec.Binary;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>The value of a Variant alone, its type known from elsewhere: a scalar, an array, or arrays of arrays for a
/// matrix.</summary>
internal static class BareVariantJson
{
    public static Variant Read(ref UaJsonReader reader, BuiltInType type)
    {
        if (!reader.IsStartArray)
        {
            if (type is not (BuiltInType.Null or BuiltInType.Variant))
                return VariantScalarJson.Read(ref reader, type);
            reader.Expected("an array of Variants");
            return default;
        }

        if (!HoldsArrays(ref reader))
            return Variant.FromArray(type, ArrayJson.Read(ref reader, type));
        var (lengths, rows) = (new int[VariantBinary.MaxDimensions], new List<Array>());
        var dimensions = ReadRows(ref reader, type, 0, lengths, rows);
        if (reader.Failed)
            return default;
        var elements = Array.CreateInstance(rows[0].GetType().GetElementType()!, rows.Sum(static row => row.Length));
        var first = 0;
        foreach (var row in rows)
        {
            row.CopyTo(elements, first);
            first += row.Length;
        }

        return Variant.FromMatrix(type, new Matrix(elements, lengths[..dimensions]));
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
        ref UaJsonReader reader, BuiltInType type, int level, int[] lengths, List<Array> rows)
    {
        if (level == VariantBinary.MaxDimensions)
        {
            reader.Fail(StatusCodes.BadEncodingLimitsExceeded, "too many dimensions");
            return 0;
        }

        if (!HoldsArrays(ref reader))
            return ReadRow(ref reader, type, level, lengths, rows);
        var (count, levels) = (0, 0);
        for (reader.BeginArray(); reader.NextElement(); count++)
        {
            var below = ReadRows(ref reader, type, level + 1, lengths, rows);
            if (count > 0 && below != levels)
                reader.Expected("arrays of the same depth");
            levels = below;
        }

        CheckLength(ref reader, level, lengths, count);
        return levels;
    }

    private static int ReadRow(ref UaJsonReader reader, BuiltInType type, int level, int[] lengths, List<Array> rows)
    {
        if (ArrayJson.Read(ref reader, type) is not { } row || !reader.TryCharge(DecodedSize.OfArray<byte>(row.Length)))
            return 0;
        rows.Add(row);
        CheckLength(ref reader, level, lengths, row.Length);
        return level + 1;
    }

    /// <summary>The first array of a level says how long the others are: one more than what is kept is 0, none.
    /// </summary>
    private static void CheckLength(ref UaJsonReader reader, int level, int[] lengths, int count)
    {
        if (count == 0 || (lengths[level] != 0 && lengths[level] != count))
            reader.Expected("arrays of the same length, and none of them empty");
        lengths[level] = count;
    }
}
