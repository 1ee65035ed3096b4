using System.Buffers.Binary;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Binary;
using Gateway.Codec.Json;
using Gateway.Codec.Json.Transcoding;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Messages;

namespace Gateway.PubSub.Json;

/// <summary>Writes one field's value, from the bytes of its SharedValue. As a Variant a Bad value is its StatusCode; as
/// a DataValue too, unless the DataValue has a member for the status. Bytes that are no value are null with
/// Bad_DecodingError. Source: Part 14 §6.2.4.2, §7.2.5.4.</summary>
internal static class JsonFieldWriter
{
    private const int EncodedStatusBytes = 1 + sizeof(uint);

    /// <summary>False: the value could not be written, and null with Bad_DecodingError stands in its place.</summary>
    public static bool Write(UaJsonWriter writer, JsonWriterPlan plan, in FrameField field)
    {
        var form = plan.Fields[field.Index];
        var value = field.Value;
        if (plan.WritesDataValues ? TryWriteDataValue(writer, plan, form, value, field.Status)
            : TryWriteVariant(writer, plan, form, value, field.Status))
            return true;
        WriteUndecodable(writer, plan, field);
        return false;
    }

    /// <summary>Instead of the value.</summary>
    public static void WriteUndecodable(UaJsonWriter writer, JsonWriterPlan plan, in FrameField field)
    {
        var status = new StatusCode(StatusCodes.BadDecodingError);
        if (plan.WritesDataValues)
            WriteStatusInDataValue(writer, plan, field.Value, status, default);
        else
            WriteStatus(writer, plan, status);
    }

    private static bool TryWriteVariant(
        UaJsonWriter writer, JsonWriterPlan plan, JsonFieldPlan form, SharedValue? value, StatusCode status)
    {
        if (status.IsBad)
        {
            WriteStatus(writer, plan, status);
            return true;
        }

        var encoded = value is null ? default : value.EncodedVariant;
        if (!IsKnown(plan, form, encoded))
        {
            writer.Format = plan.Format;
            return JsonTranscoder.TryWriteVariant(writer, encoded);
        }

        writer.Format = plan.KnownFormat;
        if (form.Symbols is not null && !encoded.IsEmpty)
            return TryWriteEnumeration(writer, form, encoded);
        writer.KnownDataType = form.DataType;
        var isWritten = JsonTranscoder.TryWriteField(writer, encoded);
        writer.KnownDataType = default;
        return isWritten;
    }

    private static bool TryWriteDataValue(
        UaJsonWriter writer, JsonWriterPlan plan, JsonFieldPlan form, SharedValue? value, StatusCode status)
    {
        var encoded = value is null ? default : value.EncodedVariant;
        if (status.IsBad && (encoded.IsEmpty || (plan.Mask & DataSetFieldContentMask.StatusCode) == 0))
        {
            WriteStatusInDataValue(writer, plan, value, status, encoded);
            return true;
        }

        var quality = Quality(plan.Mask, value, status);
        if (!IsKnown(plan, form, encoded))
        {
            writer.Format = plan.Format;
            return JsonTranscoder.TryWriteDataValue(writer, encoded, quality);
        }

        writer.Format = plan.KnownFormat;
        if (form.Symbols is not null && !encoded.IsEmpty && IsInt32WithoutDimensions(encoded))
        {
            writer.StartObject();
            writer.Json.WritePropertyName(JsonMessageNames.Value);
            TryWriteEnumeration(writer, form, encoded);
            JsonTranscoder.WriteQuality(writer, quality);
            writer.EndObject();
            return true;
        }

        writer.KnownDataType = form.DataType;
        var isWritten = JsonTranscoder.TryWriteDataValue(writer, encoded, quality);
        writer.KnownDataType = default;
        return isWritten;
    }

    /// <summary>A value of another type than the metadata says, as while a node's type changes, says its own.</summary>
    private static bool IsKnown(JsonWriterPlan plan, JsonFieldPlan form, ReadOnlySpan<byte> encoded) =>
        plan.CollapsesVariants && form.IsConcrete &&
        (encoded.IsEmpty || (BuiltInType)(encoded[0] & 0x3F) == form.Type);

    private static DataValue Quality(DataSetFieldContentMask mask, SharedValue? value, StatusCode status)
    {
        var shown = (mask & DataSetFieldContentMask.StatusCode) != 0 ? status : default;
        if (value is null)
            return new DataValue(default, shown);
        var source = (mask & DataSetFieldContentMask.SourceTimestamp) != 0 ? value.SourceTimestamp : default;
        var server = (mask & DataSetFieldContentMask.ServerTimestamp) != 0 ? value.ServerTimestamp : default;
        // SharedValues have no picoseconds of the server.
        var picoseconds = (mask & DataSetFieldContentMask.SourcePicoSeconds) != 0 && source != default
            ? value.SourcePicoseconds : default;
        return new DataValue(default, shown, source, server, picoseconds);
    }

    /// <summary>In place of a value. Where types are said, it says that it is a StatusCode.</summary>
    private static void WriteStatus(UaJsonWriter writer, JsonWriterPlan plan, StatusCode status)
    {
        Span<byte> encoded = stackalloc byte[EncodedStatusBytes];
        Encode(encoded, status);
        writer.Format = plan.Format;
        if (plan.Format.OmitsTypes)
            JsonTranscoder.TryWriteField(writer, encoded);
        else
            JsonTranscoder.TryWriteVariant(writer, encoded);
    }

    private static void WriteStatusInDataValue(
        UaJsonWriter writer, JsonWriterPlan plan, SharedValue? value, StatusCode status, ReadOnlySpan<byte> encoded)
    {
        writer.Format = plan.Format;
        var quality = Quality(plan.Mask, value, status);
        if ((plan.Mask & DataSetFieldContentMask.StatusCode) != 0)
        {
            JsonTranscoder.TryWriteDataValue(writer, default, quality);
            return;
        }

        Span<byte> instead = stackalloc byte[EncodedStatusBytes];
        Encode(instead, status);
        JsonTranscoder.TryWriteDataValue(writer, instead, quality);
    }

    private static void Encode(Span<byte> variant, StatusCode status)
    {
        variant[0] = (byte)BuiltInType.StatusCode;
        BinaryPrimitives.WriteUInt32LittleEndian(variant[1..], status.Code);
    }

    /// <summary>A scalar or an array, with as many bytes as it says.</summary>
    private static bool IsInt32WithoutDimensions(ReadOnlySpan<byte> encoded) =>
        encoded[0] == (byte)BuiltInType.Int32
            ? encoded.Length == 1 + sizeof(int)
            : encoded[0] == ((byte)BuiltInType.Int32 | 0x80) && encoded.Length >= 1 + sizeof(int) &&
                Math.Max(0L, BinaryPrimitives.ReadInt32LittleEndian(encoded[1..])) * sizeof(int) ==
                encoded.Length - 1 - sizeof(int);

    private static bool TryWriteEnumeration(UaJsonWriter writer, JsonFieldPlan form, ReadOnlySpan<byte> encoded)
    {
        // A matrix of enumerations stays numbers, which a reader of enumerations takes as well.
        if (!IsInt32WithoutDimensions(encoded))
            return JsonTranscoder.TryWriteField(writer, encoded);
        var reader = new UaBinaryReader(encoded[1..]);
        if (encoded[0] == (byte)BuiltInType.Int32)
        {
            WriteSymbol(writer, form, reader.ReadInt32());
            return true;
        }

        writer.Json.WriteStartArray();
        for (var left = reader.ReadInt32(); left > 0; left--)
            WriteSymbol(writer, form, reader.ReadInt32());
        writer.Json.WriteEndArray();
        return true;
    }

    private static void WriteSymbol(UaJsonWriter writer, JsonFieldPlan form, int value) =>
        writer.WriteEnumeration(value, form.Symbols!.GetValueOrDefault(value));
}
