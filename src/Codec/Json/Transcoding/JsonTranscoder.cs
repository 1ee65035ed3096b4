using Gateway.Codec.Binary;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json.Transcoding;

/// <summary>
/// Writes values that are kept as UA Binary directly as JSON, without objects: text goes from UTF-8 to UTF-8. The
/// result is the text that <see cref="UaJsonWriter"/> writes for the decoded value. Checks all bytes first: for bytes
/// that are no valid value it writes nothing and returns false. Allocates nothing, except to decode the body of an
/// ExtensionObject whose structure the codec declares, and to look up encodings without a numeric id. Source: Part 6
/// §5.2, §5.4.
/// </summary>
public static class JsonTranscoder
{
    /// <param name="writer">Where it goes.</param>
    /// <param name="encoded">One whole Variant; empty: a null one.</param>
    public static bool TryWriteVariant(UaJsonWriter writer, ReadOnlySpan<byte> encoded) =>
        TryWriteVariant(writer, encoded, isBare: false);

    /// <param name="writer">Where it goes.</param>
    /// <param name="encoded">One whole DataValue.</param>
    public static bool TryWriteDataValue(UaJsonWriter writer, ReadOnlySpan<byte> encoded)
    {
        var reader = new UaBinaryReader(encoded);
        ValueSkip.DataValue(ref reader);
        if (reader.Failed || reader.Remaining != 0)
            return false;
        reader = new UaBinaryReader(encoded);
        DataValueTranscoding.Write(writer, ref reader);
        return true;
    }

    /// <summary>A value that is kept apart from its quality.</summary>
    /// <param name="writer">The output.</param>
    /// <param name="encodedVariant">One whole Variant; empty: a null one.</param>
    /// <param name="quality">Status and times; its value is ignored.</param>
    public static bool TryWriteDataValue(
        UaJsonWriter writer, ReadOnlySpan<byte> encodedVariant, in DataValue quality)
    {
        if (!IsVariant(encodedVariant))
            return false;
        var reader = new UaBinaryReader(encodedVariant);
        DataValueTranscoding.Write(writer, ref reader, hasValue: !encodedVariant.IsEmpty, quality);
        return true;
    }

    /// <summary>The value of a Variant without its type; a matrix as arrays of arrays, NULL as null.</summary>
    /// <param name="writer">Where it goes.</param>
    /// <param name="encoded">One whole Variant; empty: a null one.</param>
    public static bool TryWriteBareVariant(UaJsonWriter writer, ReadOnlySpan<byte> encoded) =>
        TryWriteVariant(writer, encoded, isBare: true);

    /// <summary>The value of a Variant as the field of a structure that is described elsewhere: without its type, a
    /// matrix as <c>{"Array":[…],"Dimensions":[…]}</c>, NULL as null. Not for the deprecated encodings. Source: Part 6
    /// §5.4.5, §5.4.6.</summary>
    /// <param name="writer">Where it goes.</param>
    /// <param name="encoded">One whole Variant; empty: a null one.</param>
    public static bool TryWriteField(UaJsonWriter writer, ReadOnlySpan<byte> encoded)
    {
        if (!IsVariant(encoded))
            return false;
        var reader = new UaBinaryReader(encoded);
        if (encoded.IsEmpty)
            writer.WriteNull();
        else
            VariantTranscoding.WriteField(writer, ref reader);
        return true;
    }

    /// <summary>The members of a DataValue beside its value: status and times, where they are not the default.
    /// </summary>
    public static void WriteQuality(UaJsonWriter writer, in DataValue quality) =>
        DataValueJson.WriteQuality(writer, quality);

    private static bool TryWriteVariant(UaJsonWriter writer, ReadOnlySpan<byte> encoded, bool isBare)
    {
        if (!IsVariant(encoded))
            return false;
        var reader = new UaBinaryReader(encoded);
        if (encoded.IsEmpty)
            writer.WriteNull();
        else if (isBare)
            VariantTranscoding.WriteBare(writer, ref reader);
        else
            VariantTranscoding.Write(writer, ref reader);
        return true;
    }

    private static bool IsVariant(ReadOnlySpan<byte> encoded)
    {
        if (encoded.IsEmpty)
            return true;
        var reader = new UaBinaryReader(encoded);
        ValueSkip.Variant(ref reader);
        return !reader.Failed && reader.Remaining == 0;
    }
}
