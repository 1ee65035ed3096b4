using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.PubSub.Uadp;

/// <summary>How RawData lays out one field, from its metadata: each element has a fixed size where the metadata bounds
/// it, and so has the whole field. Source: Part 14 §7.2.4.5.11.</summary>
internal readonly ref struct RawField
{
    /// <summary>More is no value but an attack on its reader.</summary>
    public const int MaxRank = 32;

    private RawField(BuiltInType type, int rank, ReadOnlySpan<uint> dimensions, int elementBytes, uint maxStringLength)
    {
        Type = type;
        Rank = rank;
        Dimensions = dimensions;
        ElementBytes = elementBytes;
        MaxStringLength = maxStringLength;
    }

    public BuiltInType Type { get; }

    /// <summary>0 for a scalar.</summary>
    public int Rank { get; }

    /// <summary>The most elements of each dimension; empty where one of them has no bound.</summary>
    public ReadOnlySpan<uint> Dimensions { get; }

    /// <summary>With the padding; 0: not bounded.</summary>
    public int ElementBytes { get; }

    /// <summary>Bytes; 0: not bounded.</summary>
    public uint MaxStringLength { get; }

    public bool IsText => Type is BuiltInType.String or BuiltInType.ByteString;

    /// <summary>False: RawData has no form for such a field. Structures would need their definition for the
    /// padding.</summary>
    public static bool TryOf(FieldMetaData field, out RawField raw)
    {
        raw = default;
        var type = (BuiltInType)field.BuiltInType;
        var isText = type is BuiltInType.String or BuiltInType.ByteString;
        var fixedBytes = FixedBytes(type);
        if ((fixedBytes == 0 && !isText) || field.ValueRank is 0 or < -1 or > MaxRank)
            return false;
        if (field.MaxStringLength > UadpWriterOptions.LargestMessageBytes * 16)
            return false;
        var rank = Math.Max(0, field.ValueRank);
        ReadOnlySpan<uint> dimensions = field.ArrayDimensions;
        if (dimensions.Length != 0 && dimensions.Length != rank)
            return false;
        if (dimensions.Contains(0u) || (isText && field.MaxStringLength == 0))
            dimensions = default;
        var textBytes = field.MaxStringLength == 0 ? 0 : sizeof(int) + (int)field.MaxStringLength;
        raw = new RawField(type, rank, dimensions, isText ? textBytes : fixedBytes, isText ? field.MaxStringLength : 0);
        return true;
    }

    /// <summary>Of the elements from a dimension on, saturated at Int32; 0: not bounded.</summary>
    public long BytesFrom(int dimension)
    {
        if (Dimensions.Length == 0)
            return 0;
        long bytes = ElementBytes;
        for (var i = dimension; i < Rank; i++)
            bytes = Math.Min(int.MaxValue, bytes * Dimensions[i]);
        return bytes;
    }

    private static int FixedBytes(BuiltInType type) => type switch
    {
        BuiltInType.Boolean or BuiltInType.SByte or BuiltInType.Byte => 1,
        BuiltInType.Int16 or BuiltInType.UInt16 => 2,
        BuiltInType.Int32 or BuiltInType.UInt32 or BuiltInType.Float or BuiltInType.StatusCode => 4,
        BuiltInType.Int64 or BuiltInType.UInt64 or BuiltInType.Double or BuiltInType.DateTime => 8,
        BuiltInType.Guid => 16,
        _ => 0,
    };
}
