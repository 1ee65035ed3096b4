using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Uadp;

namespace Gateway.PubSub.Tests.Uadp;

/// <summary>DataSets, values and writers for the tests of the mapping.</summary>
internal static class UadpPlant
{
    public static readonly ValueStore Store = new(TimeProvider.System);

    public static readonly DateTime Timestamp = new(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc);

    public static readonly Guid ClassId = new("00112233-4455-6677-8899-aabbccddeeff");

    public static SharedValue Value(Variant value, StatusCode status = default) =>
        Store.Make(new DataValue(value, status, Timestamp, Timestamp.AddSeconds(1)));

    public static FrameField Field(int index, Variant value, StatusCode status = default) =>
        new(index, Value(value, status), status);

    public static FieldMetaData MetaOf(
        BuiltInType type, int rank = -1, uint[]? dimensions = null, uint maxStringLength = 0,
        bool isPromoted = false) =>
        new()
        {
            Name = type.ToString(),
            BuiltInType = (byte)type,
            DataType = new NodeId((uint)type),
            ValueRank = rank,
            ArrayDimensions = dimensions,
            MaxStringLength = maxStringLength,
            FieldFlags = isPromoted ? DataSetFieldFlags.PromotedField : DataSetFieldFlags.None,
        };

    public static WriterDescription Writer(
        ushort id, DataSetFieldContentMask fields, UadpDataSetMessageContentMask mask,
        params FieldMetaData[] metaData) =>
        new()
        {
            Name = "Writer" + id,
            DataSetWriterId = id,
            FieldContentMask = fields,
            UadpMask = mask,
            MetaData = new DataSetMetaDataType
            {
                Name = "DataSet" + id,
                DataSetClassId = ClassId,
                Fields = metaData,
                ConfigurationVersion = new ConfigurationVersionDataType { MajorVersion = 7, MinorVersion = 9 },
            },
        };

    public static GroupDescription Group(UadpNetworkMessageContentMask mask) => new()
    {
        PublisherId = "7",
        Name = "Group",
        WriterGroupId = 0x0102,
        GroupVersion = 0x03040506,
        UadpMask = mask,
    };

    public static UadpNetworkMessageWriter MessageWriter(
        UadpNetworkMessageContentMask mask, int maxMessageBytes = UadpWriterOptions.LargestMessageBytes) =>
        new(Group(mask), new UadpWriterOptions
        {
            PublisherId = UadpPublisherId.Of((ushort)0x0A0B),
            MaxMessageBytes = maxMessageBytes,
        });

    public static DataSetFrame Frame(
        WriterDescription writer, FrameKind kind, uint sequenceNumber, params ReadOnlySpan<FrameField> fields) => new()
        {
            Writer = writer,
            Kind = kind,
            SequenceNumber = sequenceNumber,
            Timestamp = Timestamp,
            Fields = fields.ToArray(),
        };

    public static byte[] Message(UadpNetworkMessageWriter writer, params ReadOnlySpan<FrameOf> frames)
    {
        writer.Begin(Guid.Empty, Timestamp);
        foreach (var frame in frames)
        {
            if (!writer.TryAdd(Frame(frame.Writer, frame.Kind, frame.SequenceNumber, frame.Fields)))
                throw new InvalidOperationException(writer.Problem.ToString());
        }

        return writer.End().ToArray();
    }

    public readonly record struct FrameOf(
        WriterDescription Writer, FrameKind Kind, uint SequenceNumber, params FrameField[] Fields);
}
