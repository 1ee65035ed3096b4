using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Messages;

namespace Gateway.PubSub.Uadp;

/// <summary>
/// One DataSetMessage. Shape: <c>DataSetFlags1 [DataSetFlags2] [SequenceNumber UInt16] [Timestamp [PicoSeconds]]
/// [Status UInt16] [MajorVersion] [MinorVersion]</c>, then by kind: key frame and event <c>FieldCount UInt16,
/// fields</c> (RawData: without the count), delta frame <c>FieldCount, (index UInt16, field)…</c>, keep-alive nothing;
/// then zeros
/// up to the ConfiguredSize. Source: Part 14 §7.2.4.5.4 to §7.2.4.5.8.
/// </summary>
internal static class UadpDataSetWriter
{
    /// <summary>A problem leaves bytes behind that the caller drops.</summary>
    public static UadpWriteProblem Write(ref UaBinaryWriter writer, in DataSetFrame frame)
    {
        var encoding = frame.Kind == FrameKind.Event
            ? UadpFlags.VariantFields
            : UadpFieldWriter.EncodingOf(frame.Writer.FieldContentMask);
        var status = frame.Status;
        var problem = Check(frame, encoding);
        if (problem != UadpWriteProblem.None)
            return problem;

        // RawData has no status of a field: one that is not good shows in the header.
        if (encoding == UadpFlags.RawFields && status.IsGood && !AllGood(frame.Fields))
            status = StatusCodes.UncertainSubNormal;
        var start = writer.Position;
        WriteHeader(ref writer, frame, encoding, status);
        if (!TryWriteFields(ref writer, frame, encoding))
            return UadpWriteProblem.ValueNotRaw;
        return Pad(ref writer, frame.Writer.UadpConfiguredSize - (writer.Position - start), frame.Writer);
    }

    private static UadpWriteProblem Check(in DataSetFrame frame, int encoding)
    {
        var fields = frame.Fields;
        if (frame.Kind == FrameKind.KeepAlive)
            return UadpWriteProblem.None;
        if (encoding == UadpFlags.RawFields && frame.Kind == FrameKind.DeltaFrame)
            return UadpWriteProblem.KindNotRaw;
        if (fields.Length > ushort.MaxValue)
            return UadpWriteProblem.FieldsNotOfMetaData;
        if (frame.Kind == FrameKind.DeltaFrame)
            return fields.Length == 0 || (uint)fields[^1].Index <= ushort.MaxValue
                ? UadpWriteProblem.None
                : UadpWriteProblem.FieldsNotOfMetaData;
        return fields.Length == (frame.Writer.MetaData.Fields?.Length ?? 0)
            ? UadpWriteProblem.None
            : UadpWriteProblem.FieldsNotOfMetaData;
    }

    private static bool AllGood(ReadOnlySpan<FrameField> fields)
    {
        foreach (ref readonly var field in fields)
        {
            if (!field.Status.IsGood || field.Value is null)
                return false;
        }

        return true;
    }

    private static void WriteHeader(
        ref UaBinaryWriter writer, in DataSetFrame frame, int encoding, StatusCode status)
    {
        var mask = frame.Writer.UadpMask;
        var hasTimestamp = (mask & UadpDataSetMessageContentMask.Timestamp) != 0;
        var hasPicoSeconds = hasTimestamp && (mask & UadpDataSetMessageContentMask.PicoSeconds) != 0;
        var flags2 = KindOf(frame.Kind) | (hasTimestamp ? UadpFlags.DataSetTimestamp : 0) |
            (hasPicoSeconds ? UadpFlags.DataSetPicoSeconds : 0);
        var hasSequenceNumber = (mask & UadpDataSetMessageContentMask.SequenceNumber) != 0;
        var hasStatus = (mask & UadpDataSetMessageContentMask.Status) != 0;
        var hasMajor = (mask & UadpDataSetMessageContentMask.MajorVersion) != 0;
        var hasMinor = (mask & UadpDataSetMessageContentMask.MinorVersion) != 0;
        writer.WriteByte((byte)(UadpFlags.Valid | encoding |
            (hasSequenceNumber ? UadpFlags.DataSetSequenceNumber : 0) | (hasStatus ? UadpFlags.DataSetStatus : 0) |
            (hasMajor ? UadpFlags.MajorVersion : 0) | (hasMinor ? UadpFlags.MinorVersion : 0) |
            (flags2 != 0 ? UadpFlags.DataSetFlags2 : 0)));
        if (flags2 != 0)
            writer.WriteByte((byte)flags2);
        if (hasSequenceNumber)
            writer.WriteUInt16((ushort)frame.SequenceNumber);
        if (hasTimestamp)
            writer.WriteDateTime(frame.Timestamp);
        if (hasPicoSeconds)
            writer.WriteUInt16(0);
        if (hasStatus)
            writer.WriteUInt16((ushort)(status.Code >> 16));
        if (hasMajor)
            writer.WriteUInt32(frame.Writer.MetaData.ConfigurationVersion.MajorVersion);
        if (hasMinor)
            writer.WriteUInt32(frame.Writer.MetaData.ConfigurationVersion.MinorVersion);
    }

    private static int KindOf(FrameKind kind) => kind switch
    {
        FrameKind.DeltaFrame => UadpFlags.DeltaFrame,
        FrameKind.Event => UadpFlags.Event,
        FrameKind.KeepAlive => UadpFlags.KeepAlive,
        _ => UadpFlags.KeyFrame,
    };

    private static bool TryWriteFields(ref UaBinaryWriter writer, in DataSetFrame frame, int encoding)
    {
        // A DataSet without fields is a heartbeat: nothing but its header.
        var fields = frame.Fields;
        if (frame.Kind == FrameKind.KeepAlive || (fields.IsEmpty && frame.Kind == FrameKind.KeyFrame))
            return true;
        if (encoding == UadpFlags.RawFields)
            return TryWriteRaw(ref writer, frame);
        writer.WriteUInt16((ushort)fields.Length);
        var isDelta = frame.Kind == FrameKind.DeltaFrame;
        var mask = frame.Writer.FieldContentMask;
        foreach (ref readonly var field in fields)
        {
            if (isDelta)
                writer.WriteUInt16((ushort)field.Index);
            if (encoding == UadpFlags.VariantFields)
                UadpFieldWriter.WriteVariant(ref writer, field);
            else
                UadpFieldWriter.WriteDataValue(ref writer, field, mask);
        }

        return true;
    }

    private static bool TryWriteRaw(ref UaBinaryWriter writer, in DataSetFrame frame)
    {
        var metaData = frame.Writer.MetaData.Fields!;
        var fields = frame.Fields;
        for (var i = 0; i < fields.Length; i++)
        {
            ref readonly var field = ref fields[i];
            var encoded = field.Value is { } value && !field.Status.IsBad ? value.EncodedVariant : default;
            if (!RawFieldWriter.TryWrite(ref writer, metaData[i], encoded))
                return false;
        }

        return true;
    }

    private static UadpWriteProblem Pad(ref UaBinaryWriter writer, int missing, WriterDescription description)
    {
        if (description.UadpConfiguredSize == 0)
            return UadpWriteProblem.None;
        if (missing < 0)
            return UadpWriteProblem.TooLarge;
        RawFieldWriter.WriteZeros(ref writer, missing);
        return UadpWriteProblem.None;
    }
}
