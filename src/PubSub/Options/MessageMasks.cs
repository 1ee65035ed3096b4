using Gateway.Codec.Structures;
using Gateway.PubSub.Uadp;

namespace Gateway.PubSub.Options;

/// <summary>The parts that each mapping's messages have, by a group's options.</summary>
internal static class MessageMasks
{
    /// <summary>Unless the group says otherwise: as the Dynamic layout, with both versions. Source: Part 14 Annex
    /// A.2.2.</summary>
    public const UadpNetworkMessageContentMask UadpNetworkMessage =
        UadpNetworkMessageContentMask.PublisherId | UadpNetworkMessageContentMask.PayloadHeader;

    public const UadpDataSetMessageContentMask UadpDataSetMessage =
        UadpDataSetMessageContentMask.Timestamp | UadpDataSetMessageContentMask.Status |
        UadpDataSetMessageContentMask.MajorVersion | UadpDataSetMessageContentMask.MinorVersion |
        UadpDataSetMessageContentMask.SequenceNumber;

    public const DataSetFieldContentMask DataValues =
        DataSetFieldContentMask.StatusCode | DataSetFieldContentMask.SourceTimestamp;

    /// <summary>Batched says whether there is one DataSetMessage; a ReplyTo is of Actions.</summary>
    public const JsonNetworkMessageContentMask JsonNetworkMessageNames =
        JsonNetworkMessageContentMask.NetworkMessageHeader | JsonNetworkMessageContentMask.DataSetMessageHeader |
        JsonNetworkMessageContentMask.PublisherId | JsonNetworkMessageContentMask.DataSetClassId |
        JsonNetworkMessageContentMask.WriterGroupName;

    /// <summary>Encoding says how fields are encoded.</summary>
    public const JsonDataSetMessageContentMask JsonDataSetMessageNames =
        JsonMessage | JsonDataSetMessageContentMask.PublisherId | JsonDataSetMessageContentMask.WriterGroupName |
        JsonDataSetMessageContentMask.MinorVersion;

    private const JsonNetworkMessageContentMask JsonHeader =
        JsonNetworkMessageContentMask.NetworkMessageHeader | JsonNetworkMessageContentMask.DataSetMessageHeader |
        JsonNetworkMessageContentMask.PublisherId | JsonNetworkMessageContentMask.WriterGroupName;

    private const JsonDataSetMessageContentMask JsonMessage =
        JsonDataSetMessageContentMask.DataSetWriterId | JsonDataSetMessageContentMask.DataSetWriterName |
        JsonDataSetMessageContentMask.SequenceNumber | JsonDataSetMessageContentMask.MetaDataVersion |
        JsonDataSetMessageContentMask.Timestamp | JsonDataSetMessageContentMask.Status |
        JsonDataSetMessageContentMask.MessageType;

    public static DataSetFieldContentMask Fields(WriterGroupOptions group) => FieldEncodingOf(group) switch
    {
        "RawData" => DataSetFieldContentMask.RawData,
        "Variant" => DataSetFieldContentMask.None,
        _ => ContentNames.Of(group.FieldContent, DataValues),
    };

    /// <summary>Of one writer: the fields of an event are Variants. Source: Part 14 §7.2.4.5.7.</summary>
    public static DataSetFieldContentMask Fields(WriterGroupOptions group, DataSetOptions? dataSet) =>
        dataSet is { IsOfEvents: true } ? DataSetFieldContentMask.None : Fields(group);

    public static UadpNetworkMessageContentMask UadpNetworkMessageOf(WriterGroupOptions group) =>
        LayoutOf(group)?.NetworkMask ?? ContentNames.Of(group.NetworkMessageContent, UadpNetworkMessage);

    public static UadpDataSetMessageContentMask UadpDataSetMessageOf(WriterGroupOptions group) =>
        LayoutOf(group)?.DataSetMask ?? ContentNames.Of(group.DataSetMessageContent, UadpDataSetMessage);

    /// <summary>Null: none of the standard's.</summary>
    public static UadpLayout? LayoutOf(WriterGroupOptions group) => group.HeaderLayout switch
    {
        "periodic-fixed" => UadpLayout.PeriodicFixed,
        "dynamic" => UadpLayout.Dynamic,
        _ => null,
    };

    public static JsonNetworkMessageContentMask JsonNetworkMessage(WriterGroupOptions group) =>
        (group.IsJson ? ContentNames.Of(group.NetworkMessageContent, JsonHeader) : JsonHeader) |
        (group.Batched ? 0 : JsonNetworkMessageContentMask.SingleDataSetMessage);

    public static JsonDataSetMessageContentMask JsonDataSetMessage(WriterGroupOptions group) =>
        (group.IsJson ? ContentNames.Of(group.DataSetMessageContent, JsonMessage) : JsonMessage) |
        group.Encoding switch
        {
            "json-compact" =>
                JsonDataSetMessageContentMask.FieldEncoding1 | JsonDataSetMessageContentMask.FieldEncoding2,
            "json-reversible" => JsonDataSetMessageContentMask.FieldEncoding1,
            "json-nonreversible" => JsonDataSetMessageContentMask.None,
            _ => JsonDataSetMessageContentMask.FieldEncoding2,
        };

    private static string FieldEncodingOf(WriterGroupOptions group) => group.FieldEncoding.Length > 0
        ? group.FieldEncoding
        : group.Encoding == "json-raw" || group.IsPeriodic ? "RawData" : "DataValue";
}
