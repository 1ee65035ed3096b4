using Gateway.Codec.Binary;
using Gateway.Codec.Types;

namespace Gateway.Client.Subscriptions;

/// <summary>Finds the end of an encoded Variant: by arithmetic where the elements have a fixed size or are strings, by
/// decoding and dropping the rest. Source: Part 6 §5.2.2.16.</summary>
internal static class EncodedVariantReader
{
    private const byte DimensionsFlag = 0x40;
    private const byte ArrayFlag = 0x80;

    /// <summary>Errors: the reader's status.</summary>
    public static void Skip(ref UaBinaryReader reader)
    {
        var probe = reader;
        var encoding = probe.ReadByte();
        var type = (BuiltInType)(encoding & 0x3F);
        var size = FixedSizeBytes(type);
        var isText = type is BuiltInType.String or BuiltInType.ByteString or BuiltInType.XmlElement;
        // An encoding that is not plain, an array of nothing among them, is left to the decoder.
        if (probe.Failed || type == BuiltInType.Null || (encoding & DimensionsFlag) != 0 || (size < 0 && !isText))
        {
            reader.ReadVariant();
            return;
        }

        var count = (encoding & ArrayFlag) == 0 ? 1 : probe.ReadArrayLength(isText ? sizeof(int) : size);
        if (!isText)
        {
            probe.Skip(Math.Max(0, count) * size);
        }
        else
        {
            for (var i = 0; i < count && !probe.Failed; i++)
                SkipText(ref probe, type);
        }

        reader = probe;
    }

    private static void SkipText(ref UaBinaryReader reader, BuiltInType type)
    {
        if (type == BuiltInType.ByteString)
            reader.ReadByteStringSpan();
        else
            reader.SkipString();
    }

    /// <summary>−1 for a type whose size varies.</summary>
    private static int FixedSizeBytes(BuiltInType type) => type switch
    {
        BuiltInType.Boolean or BuiltInType.SByte or BuiltInType.Byte => 1,
        BuiltInType.Int16 or BuiltInType.UInt16 => 2,
        BuiltInType.Int32 or BuiltInType.UInt32 or BuiltInType.Float or BuiltInType.StatusCode => 4,
        BuiltInType.Int64 or BuiltInType.UInt64 or BuiltInType.Double or BuiltInType.DateTime => 8,
        BuiltInType.Guid => 16,
        _ => -1,
    };
}
