using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Messages;

namespace Gateway.PubSub.Uadp.Reading;

/// <summary>Reads one DataSetMessage; see <see cref="UadpDataSetWriter"/> for its shape. Owner: a reader; one thread at
/// a time. Source: Part 14 §7.2.4.5.4 to §7.2.4.5.8.</summary>
internal sealed class UadpDataSetReader(UadpReaderOptions options) : IDisposable
{
    /// <summary>Fields are made as they come: a count by itself takes no memory.</summary>
    private const int FirstFields = 64;

    private readonly PooledBuffer _variant = new(limitBytes: options.Values.MaxByteStringLengthBytes);

    /// <param name="bytes">From its first byte on, and at the most to its last.</param>
    /// <param name="writerId">Its DataSetWriterId; 0: unknown.</param>
    /// <param name="metaData">Null: unknown.</param>
    /// <param name="used">The bytes up to its last field; of no use with a problem.</param>
    public UadpDataSet Read(
        ReadOnlySpan<byte> bytes, ushort writerId, DataSetMetaDataType? metaData, out int used)
    {
        var reader = new UaBinaryReader(bytes, options.Values);
        var head = Head.Read(ref reader);
        var problem = head.Problem(reader.Failed);
        var fields = new List<UadpField>();
        if (problem == UadpDataSetProblem.None && head.Kind != UadpFlags.KeepAlive)
            problem = ReadFields(ref reader, head, metaData, fields);
        used = reader.Position;
        return new UadpDataSet
        {
            DataSetWriterId = writerId,
            Kind = head.Kind <= UadpFlags.KeepAlive ? (FrameKind)head.Kind : default,
            SequenceNumber = head.SequenceNumber,
            Timestamp = head.Timestamp,
            Status = head.Status,
            MajorVersion = head.MajorVersion,
            MinorVersion = head.MinorVersion,
            Problem = problem,
            Fields = problem == UadpDataSetProblem.None ? fields : [],
        };
    }

    public void Dispose() => _variant.Dispose();

    private static UadpDataSetProblem ProblemOf(StatusCode status) => status == StatusCodes.BadEncodingLimitsExceeded
        ? UadpDataSetProblem.TooLarge
        : UadpDataSetProblem.Malformed;

    private UadpDataSetProblem ReadFields(
        ref UaBinaryReader reader, in Head head, DataSetMetaDataType? metaData, List<UadpField> fields)
    {
        // A heartbeat: a key frame that ends with its header.
        if (reader.Remaining == 0 && head.Kind == UadpFlags.KeyFrame && (metaData?.Fields?.Length ?? 0) == 0)
            return UadpDataSetProblem.None;
        var isOther = metaData is not null && head.IsOther(metaData.ConfigurationVersion);
        if (head.Encoding == UadpFlags.RawFields)
        {
            if (metaData is null || isOther)
                return metaData is null ? UadpDataSetProblem.MetaDataMissing : UadpDataSetProblem.MetaDataOutdated;
            return head.Kind == UadpFlags.KeyFrame
                ? ReadRaw(ref reader, head.Status, metaData.Fields ?? [], fields)
                : UadpDataSetProblem.Unknown;
        }

        return ReadCounted(ref reader, head, isOther ? null : metaData?.Fields, fields);
    }

    private UadpDataSetProblem ReadRaw(
        ref UaBinaryReader reader, StatusCode status, FieldMetaData[] metaData, List<UadpField> fields)
    {
        if (metaData.Length > options.MaxFields)
            return UadpDataSetProblem.TooLarge;
        for (var i = 0; i < metaData.Length; i++)
        {
            _variant.Reset();
            var writer = new UaBinaryWriter(_variant);
            if (!RawFieldReader.TryRead(ref reader, metaData[i], ref writer) || writer.Failed)
                return UadpDataSetProblem.Malformed;
            writer.Complete();
            var value = new UaBinaryReader(_variant.WrittenSpan, options.Values);
            var variant = value.ReadVariant();
            if (value.Failed)
                return ProblemOf(value.Status);

            // RawData has one status for all fields.
            fields.Add(new UadpField(i, new DataValue(variant, status)));
        }

        return UadpDataSetProblem.None;
    }

    private UadpDataSetProblem ReadCounted(
        ref UaBinaryReader reader, in Head head, FieldMetaData[]? metaData, List<UadpField> fields)
    {
        var count = reader.ReadUInt16();
        if (count > options.MaxFields)
            return UadpDataSetProblem.TooLarge;
        var isDelta = head.Kind == UadpFlags.DeltaFrame;
        if (count * (isDelta ? 3 : 1) > reader.Remaining)
            return UadpDataSetProblem.Malformed;
        fields.Capacity = Math.Min((int)count, FirstFields);
        for (var i = 0; i < count; i++)
        {
            var index = isDelta ? reader.ReadUInt16() : i;
            var type = BuiltInType.Null;
            if (metaData is not null)
            {
                if (index >= metaData.Length)
                    return UadpDataSetProblem.Malformed;
                type = (BuiltInType)metaData[index].BuiltInType;
            }

            var value = head.Encoding == UadpFlags.DataValueFields
                ? reader.ReadDataValue()
                : ValueOf(reader.ReadVariant(), type);
            if (reader.Failed)
                return ProblemOf(reader.Status);
            fields.Add(new UadpField(index, value));
        }

        return reader.Failed ? ProblemOf(reader.Status) : UadpDataSetProblem.None;
    }

    /// <summary>A bad status may stand in the place of the value, a DataValue in the place of an uncertain one.
    /// Source: Part 14 §6.2.4.2.</summary>
    private static DataValue ValueOf(in Variant variant, BuiltInType type)
    {
        if (!variant.IsScalar || variant.Type == type)
            return new DataValue(variant);
        if (variant.Type == BuiltInType.DataValue)
            return variant.AsDataValue();
        return variant.Type == BuiltInType.StatusCode && variant.AsStatusCode().IsBad
            ? new DataValue(variant.AsStatusCode())
            : new DataValue(variant);
    }

    private struct Head
    {
        public int Flags1;
        public int Kind;
        public ushort? SequenceNumber;
        public DateTime? Timestamp;
        public StatusCode Status;
        public uint? MajorVersion;
        public uint? MinorVersion;
        private int _reserved;

        public readonly int Encoding => Flags1 & UadpFlags.FieldEncodingMask;

        public static Head Read(ref UaBinaryReader reader)
        {
            var head = new Head { Flags1 = reader.ReadByte() };
            var flags2 = (head.Flags1 & UadpFlags.DataSetFlags2) != 0 ? reader.ReadByte() : 0;
            head.Kind = flags2 & UadpFlags.KindMask;
            head._reserved = flags2 >> 6;
            if ((head.Flags1 & UadpFlags.DataSetSequenceNumber) != 0)
                head.SequenceNumber = reader.ReadUInt16();
            if ((flags2 & UadpFlags.DataSetTimestamp) != 0)
                head.Timestamp = reader.ReadDateTime();
            if ((flags2 & UadpFlags.DataSetPicoSeconds) != 0)
                reader.Skip(sizeof(ushort));
            if ((head.Flags1 & UadpFlags.DataSetStatus) != 0)
                head.Status = new StatusCode((uint)reader.ReadUInt16() << 16);
            if ((head.Flags1 & UadpFlags.MajorVersion) != 0)
                head.MajorVersion = reader.ReadUInt32();
            if ((head.Flags1 & UadpFlags.MinorVersion) != 0)
                head.MinorVersion = reader.ReadUInt32();
            return head;
        }

        public readonly UadpDataSetProblem Problem(bool isCutOff)
        {
            if (isCutOff)
                return UadpDataSetProblem.Malformed;
            if ((Flags1 & UadpFlags.Valid) == 0)
                return UadpDataSetProblem.NotValid;
            return Encoding == UadpFlags.FieldEncodingMask || Kind > UadpFlags.KeepAlive || _reserved != 0
                ? UadpDataSetProblem.Unknown
                : UadpDataSetProblem.None;
        }

        public readonly bool IsOther(ConfigurationVersionDataType version) =>
            (MajorVersion ?? version.MajorVersion) != version.MajorVersion ||
            (MinorVersion ?? version.MinorVersion) != version.MinorVersion;
    }
}
