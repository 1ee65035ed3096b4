using System.Text;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Json;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Json;
using Gateway.PubSub.Messages;

namespace Gateway.PubSub.Tests.Json;

/// <summary>Descriptions and values for messages.</summary>
internal static class JsonSamples
{
    public const JsonDataSetMessageContentMask Verbose = JsonDataSetMessageContentMask.FieldEncoding2;
    public const JsonDataSetMessageContentMask Compact =
        JsonDataSetMessageContentMask.FieldEncoding1 | JsonDataSetMessageContentMask.FieldEncoding2;
    public const JsonDataSetMessageContentMask Reversible = JsonDataSetMessageContentMask.FieldEncoding1;
    public const JsonDataSetMessageContentMask NonReversible = JsonDataSetMessageContentMask.None;

    public const JsonNetworkMessageContentMask Batched =
        JsonNetworkMessageContentMask.NetworkMessageHeader | JsonNetworkMessageContentMask.DataSetMessageHeader;

    /// <summary>One DataSetMessage with its header, and nothing around it.</summary>
    public const JsonNetworkMessageContentMask Bare =
        JsonNetworkMessageContentMask.DataSetMessageHeader | JsonNetworkMessageContentMask.SingleDataSetMessage;

    public static readonly Guid MessageId = new("9279c0b3-da88-45a4-af74-451cebf82db0");
    public static readonly DateTime Time = new(2021, 9, 27, 18, 45, 19, 555, DateTimeKind.Utc);
    public static readonly DateTime SourceTime = new(2021, 9, 27, 11, 32, 38, DateTimeKind.Utc);

    private static readonly ValueStore Store = new(TimeProvider.System);

    public static FieldMetaData Field(string name, BuiltInType type, int rank = -1, NodeId dataType = default) => new()
    {
        Name = name,
        BuiltInType = (byte)type,
        ValueRank = rank,
        DataType = dataType.IsNull ? new NodeId((uint)type) : dataType,
    };

    public static WriterDescription Writer(
        JsonDataSetMessageContentMask mask, DataSetFieldContentMask fields, params FieldMetaData[] metaData) => new()
        {
            Name = "Writer101",
            DataSetWriterId = 101,
            JsonMask = mask,
            FieldContentMask = fields,
            MetaData = new DataSetMetaDataType
            {
                Name = "DataSet1",
                Fields = metaData,
                ConfigurationVersion = new ConfigurationVersionDataType
                {
                    MajorVersion = 672338910,
                    MinorVersion = 672341762,
                },
            },
        };

    public static GroupDescription Group(JsonNetworkMessageContentMask mask) => new()
    {
        PublisherId = "MyPublisher",
        Name = "WriterGroup1",
        WriterGroupId = 1,
        JsonMask = mask,
    };

    public static FrameField Value(int index, Variant value, StatusCode status = default) => new(
        index, Store.Make(new DataValue(value, status, SourceTime, SourceTime.AddSeconds(1), 7)), status);

    /// <summary>A value whose bytes a source has passed on.</summary>
    public static FrameField Encoded(int index, params byte[] variant)
    {
        var node = new NodeHandle(1);
        lock (Store)
        {
            Store.SetEncoded(node, variant, default, default, default);
            return new FrameField(index, Store.Acquire(node), default);
        }
    }

    public static DataSetFrame Frame(
        WriterDescription writer, FrameKind kind, ReadOnlySpan<FrameField> fields, StatusCode status = default) => new()
        {
            Writer = writer,
            Kind = kind,
            SequenceNumber = 68468,
            Timestamp = Time,
            Status = status,
            Fields = fields,
        };

    /// <summary>The text of a message with one DataSetMessage.</summary>
    public static string Write(
        JsonNetworkMessageContentMask mask, WriterDescription writer, FrameKind kind, params FrameField[] fields)
    {
        using var json = new JsonNetworkMessageWriter(Group(mask), new JsonFormat { Uris = Uris });
        json.Begin(MessageId, Time);
        Assert.True(json.TryAdd(Frame(writer, kind, fields)));
        return Encoding.UTF8.GetString(json.End().Span);
    }

    /// <summary>The payload alone.</summary>
    public static string WritePayload(WriterDescription writer, params FrameField[] fields) => Write(
        JsonNetworkMessageContentMask.SingleDataSetMessage, writer, FrameKind.KeyFrame, fields);

    public static JsonUris Uris { get; } =
        new(["http://opcfoundation.org/UA/", "urn:gateway", "http://test.org/UA/Data/"]);
}
