using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json.Definitions;

/// <summary>
/// A field that is a matrix. UA Binary: the dimensions as an Int32 array, then the values without a length; a dimension
/// of 0 means no values. JSON: <c>{"Array":[…],"Dimensions":[…]}</c>, the values in one flat array; deprecated: arrays
/// of arrays. A reader takes both. Source: Part 6 §5.2.5, §5.4.5, §H.9.
/// </summary>
internal static class DefinedMatrix
{
    private static readonly byte[][] Members = ["Array"u8.ToArray(), "Dimensions"u8.ToArray()];

    /// <summary>Returns how many values follow. Errors: the reader's status.</summary>
    public static int SkipDimensions(ref UaBinaryReader reader, int rank)
    {
        var dimensions = VariantBinary.ReadDimensions(ref reader);
        if (reader.Failed || dimensions.Length == 0)
            return 0;
        var count = CountOf(dimensions);
        // Each value has a byte at least.
        if (dimensions.Length == rank && count >= 0 && count <= reader.Remaining)
            return (int)count;
        reader.Fail(StatusCodes.BadDecodingError);
        return 0;
    }

    /// <summary>Writes bytes that were checked before.</summary>
    public static void Write(UaJsonWriter writer, DefinedField field, ref UaBinaryReader reader)
    {
        var ahead = reader;
        var isNull = ahead.ReadInt32() < 0;
        var dimensions = VariantBinary.ReadDimensions(ref reader);
        if (isNull)
        {
            writer.WriteNull();
            return;
        }

        if (writer.Format.IsDeprecated)
        {
            WriteNested(writer, field, ref reader, CountOf(dimensions) > 0 ? dimensions : [0]);
            return;
        }

        writer.StartObject();
        writer.Json.WritePropertyName("Array"u8);
        WriteNested(writer, field, ref reader, [(int)CountOf(dimensions)]);
        VariantJson.WriteDimensions(writer, dimensions);
        writer.EndObject();
    }

    /// <summary>Returns the value in UA Binary.</summary>
    /// <param name="reader">On the value.</param>
    /// <param name="field">Its type and rank.</param>
    public static byte[] Read(ref UaJsonReader reader, DefinedField field)
    {
        if (reader.IsNull)
            return BitConverter.GetBytes(-1);
        var start = reader.Here;
        var (elements, dimensions) = reader.IsStartArray
            ? ReadNested(ref reader, field)
            : ReadFlat(ref reader, field);
        if (reader.Failed)
            return [];
        if (dimensions.Length != field.Rank || CountOf(dimensions) != elements.Length)
        {
            reader.Rewind(start);
            reader.Expected($"{field.Rank} Dimensions whose product is the number of elements");
            return [];
        }

        var values = elements.Length == 0 ? new byte[sizeof(int)] : field.Encode(ref reader, elements);
        if (reader.Failed)
            return [];
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        writer.WriteBlittableArray<int>(dimensions);
        writer.WriteRaw(values.AsSpan(sizeof(int)));
        writer.Complete();
        return DefinedField.Take(ref reader, writer.Status, buffer);
    }

    private static (Array Elements, int[] Dimensions) ReadNested(ref UaJsonReader reader, DefinedField field)
    {
        var elements = BareVariantJson.ReadArrays(ref reader, field.ReadRow, out var dimensions);
        // An empty array does not say how long the others are.
        return elements is { Length: > 0 } ? (elements, dimensions) : (Array.Empty<byte>(), new int[field.Rank]);
    }

    private static (Array Elements, int[] Dimensions) ReadFlat(ref UaJsonReader reader, DefinedField field)
    {
        Array? elements = null;
        int[]? dimensions = null;
        var seen = 0UL;
        reader.BeginObject();
        while (reader.NextMember(Members, ref seen, out var member))
        {
            if (member == 0)
                elements = field.ReadRow(ref reader);
            else
                dimensions = reader.ReadArray<int>(BuiltInType.Int32);
        }

        if (!reader.Failed && (elements is null || dimensions is null))
            reader.Expected("the members Array and Dimensions");
        return (elements ?? Array.Empty<byte>(), dimensions ?? []);
    }

    /// <summary>−1 for too many elements.</summary>
    private static long CountOf(ReadOnlySpan<int> dimensions)
    {
        foreach (var dimension in dimensions)
        {
            if (dimension <= 0)
                return 0;
        }

        return dimensions.IsEmpty ? 0 : VariantBinary.Product(dimensions);
    }

    private static void WriteNested(
        UaJsonWriter writer, DefinedField field, ref UaBinaryReader reader, scoped ReadOnlySpan<int> dimensions)
    {
        writer.Json.WriteStartArray();
        for (var i = 0; i < dimensions[0]; i++)
        {
            if (dimensions.Length > 1)
                WriteNested(writer, field, ref reader, dimensions[1..]);
            else
                field.WriteOne(writer, ref reader);
        }

        writer.Json.WriteEndArray();
    }
}
