using System.Runtime.CompilerServices;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Messages;

namespace Gateway.PubSub.Uadp;

/// <summary>Fields as Variants and as DataValues, spliced from the values' own bytes. Source: Part 14 §6.2.4.2, Table
/// 26; Part 6 §5.2.2.16, §5.2.2.17.</summary>
internal static class UadpFieldWriter
{
    private const byte NullVariant = 0;
    private const byte StatusCodeVariant = (byte)BuiltInType.StatusCode;
    private const byte DataValueVariant = (byte)BuiltInType.DataValue;

    private const DataSetFieldContentMask DataValueMembers = DataSetFieldContentMask.StatusCode |
        DataSetFieldContentMask.SourceTimestamp | DataSetFieldContentMask.ServerTimestamp |
        DataSetFieldContentMask.SourcePicoSeconds | DataSetFieldContentMask.ServerPicoSeconds;

    /// <summary>Bits of DataSetFlags1.</summary>
    public static int EncodingOf(DataSetFieldContentMask mask)
    {
        if ((mask & DataSetFieldContentMask.RawData) != 0)
            return UadpFlags.RawFields;
        return (mask & DataValueMembers) != 0 ? UadpFlags.DataValueFields : UadpFlags.VariantFields;
    }

    /// <summary>A bad status stands in the place of the value; an uncertain one stands beside it in a DataValue.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteVariant(ref UaBinaryWriter writer, in FrameField field)
    {
        var encoded = field.Value is { } value ? value.EncodedVariant : default;
        if (field.Status.IsGood && encoded.Length > 0)
            writer.WriteRaw(encoded);
        else
            WriteOther(ref writer, field.Status, encoded);
    }

    public static void WriteDataValue(ref UaBinaryWriter writer, in FrameField field, DataSetFieldContentMask mask)
    {
        var value = field.Value;
        var encoded = value is not null ? value.EncodedVariant : default;
        var withStatus = (mask & DataSetFieldContentMask.StatusCode) != 0;
        var status = withStatus && field.Status.Code != 0;
        var source = (mask & DataSetFieldContentMask.SourceTimestamp) != 0 &&
            value?.SourceTimestamp > default(DateTime);
        var server = (mask & DataSetFieldContentMask.ServerTimestamp) != 0 &&
            value?.ServerTimestamp > default(DateTime);
        var picoseconds = source && (mask & DataSetFieldContentMask.SourcePicoSeconds) != 0 &&
            value!.SourcePicoseconds != 0;

        // A status that the mask leaves out must not turn a bad value into a good one.
        var isReplaced = !withStatus && field.Status.IsBad;
        writer.WriteByte((byte)((encoded.Length > 0 || isReplaced ? 0x01 : 0) | (status ? 0x02 : 0) |
            (source ? 0x04 : 0) | (server ? 0x08 : 0) | (picoseconds ? 0x10 : 0)));
        if (isReplaced)
            WriteOther(ref writer, field.Status, encoded);
        else
            writer.WriteRaw(encoded);
        if (status)
            writer.WriteStatusCode(field.Status);
        if (source)
            writer.WriteDateTime(value!.SourceTimestamp);
        if (picoseconds)
            writer.WriteUInt16(value!.SourcePicoseconds);
        if (server)
            writer.WriteDateTime(value!.ServerTimestamp);
    }

    private static void WriteOther(ref UaBinaryWriter writer, StatusCode status, ReadOnlySpan<byte> encoded)
    {
        if (status.IsGood)
        {
            writer.WriteByte(NullVariant);
        }
        else if (status.IsUncertain)
        {
            writer.WriteByte(DataValueVariant);
            writer.WriteByte((byte)(encoded.Length > 0 ? 0x03 : 0x02));
            writer.WriteRaw(encoded);
            writer.WriteStatusCode(status);
        }
        else
        {
            writer.WriteByte(StatusCodeVariant);
            writer.WriteStatusCode(status);
        }
    }
}
