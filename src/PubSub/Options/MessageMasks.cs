using Gateway.Codec.Structures;

namespace Gateway.PubSub.Options;

/// <summary>The parts that each mapping's messages have, by a group's options.</summary>
internal static class MessageMasks
{
    /// <summary>Of the Dynamic layout. Source: Part 14 Annex A.2.2.</summary>
    public const UadpNetworkMessageContentMask UadpNetworkMessage =
        UadpNetworkMessageContentMask.PublisherId | UadpNetworkMessageContentMask.PayloadHeader;

    public const UadpDataSetMessageContentMask UadpDataSetMessage =
        UadpDataSetMessageContentMask.Timestamp | UadpDataSetMessageContentMask.Status |
        UadpDataSetMessageContentMask.MajorVersion | UadpDataSetMessageContentMask.MinorVersion |
        UadpDataSetMessageContentMask.SequenceNumber;

    private const DataSetFieldContentMask DataValues =
        DataSetFieldContentMask.StatusCode | DataSetFieldContentMask.SourceTimestamp;

    private const JsonNetworkMessageContentMask JsonHeader =
        JsonNetworkMessageContentMask.NetworkMessageHeader | JsonNetworkMessageContentMask.DataSetMessageHeader |
        JsonNetworkMessageContentMask.PublisherId | JsonNetworkMessageContentMask.WriterGroupName;

    private const JsonDataSetMessageContentMask JsonMessage =
        JsonDataSetMessageContentMask.DataSetWriterId | JsonDataSetMessageContentMask.DataSetWriterName |
        JsonDataSetMessageContentMask.SequenceNumber | JsonDataSetMessageContentMask.MetaDataVersion |
        JsonDataSetMessageContentMask.Timestamp | JsonDataSetMessageContentMask.Status |
        JsonDataSetMessageContentMask.MessageType;

    public static DataSetFieldContentMask Fields(WriterGroupOptions group) =>
        group.Encoding is "json-raw" ? DataSetFieldContentMask.RawData : DataValues;

    public static JsonNetworkMessageContentMask JsonNetworkMessage(WriterGroupOptions group) =>
        JsonHeader | (group.Batched ? 0 : JsonNetworkMessageContentMask.SingleDataSetMessage);

    public static JsonDataSetMessageContentMask JsonDataSetMessage(WriterGroupOptions group) =>
        JsonMessage | group.Encoding switch
        {
            "json-compact" =>
                JsonDataSetMessageContentMask.FieldEncoding1 | JsonDataSetMessageContentMask.FieldEncoding2,
            "json-reversible" => JsonDataSetMessageContentMask.FieldEncoding1,
            "json-nonreversible" => JsonDataSetMessageContentMask.None,
            _ => JsonDataSetMessageContentMask.FieldEncoding2,
        };
}
