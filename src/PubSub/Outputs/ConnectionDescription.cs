using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Options;

namespace Gateway.PubSub.Outputs;

/// <summary>A connection as the standard's structure: what a subscriber may know of it, with the groups of one mapping.
/// Source: Part 14 §6.2.7.5.1.</summary>
internal static class ConnectionDescription
{
    private const string Profiles = "http://opcfoundation.org/UA-Profile/Transport/pubsub-";

    /// <param name="options">Of the connection.</param>
    /// <param name="publisherId">Of all its messages.</param>
    /// <param name="dataSets">Of its writers.</param>
    /// <param name="isJson">The groups of which mapping.</param>
    public static PubSubConnectionDataType Of(
        ConnectionOptions options, string publisherId, IReadOnlyList<DataSetOptions> dataSets, bool isJson) => new()
        {
            Name = options.Name,
            Enabled = true,
            PublisherId = isJson ? new Variant(publisherId) : options.WireIdOf(publisherId).ToVariant(),
            TransportProfileUri =
                Profiles + (options.IsMqtt ? "mqtt" : "udp") + (isJson ? "-json" : "-uadp"),
            WriterGroups =
            [
                .. options.WriterGroups.Where(group => isJson ? group.IsJson : group.IsUadp)
                    .Select(group => Of(group, options, new TopicTree(options.TopicPrefix, publisherId), dataSets)),
            ],
        };

    private static WriterGroupDataType Of(
        WriterGroupOptions group, ConnectionOptions connection, TopicTree topics,
        IReadOnlyList<DataSetOptions> dataSets) => new()
        {
            Name = group.Name,
            Enabled = true,
            SecurityMode = group.Security == MessageSecurityMode.Invalid ? MessageSecurityMode.None : group.Security,
            WriterGroupId = (ushort)group.WriterGroupId,
            PublishingInterval = group.PublishingIntervalMs,
            KeepAliveTime = group.KeepAliveMs,
            TransportSettings = connection.IsMqtt ? TransportOf(group, connection, topics) : default,
            MessageSettings = group.IsJson
                ? new ExtensionObject(new JsonWriterGroupMessageDataType
                {
                    NetworkMessageContentMask = MessageMasks.JsonNetworkMessage(group),
                })
                : new ExtensionObject(new UadpWriterGroupMessageDataType
                {
                    NetworkMessageContentMask = MessageMasks.UadpNetworkMessageOf(group),
                }),
            HeaderLayoutUri = MessageMasks.LayoutOf(group)?.Uri,
            DataSetWriters = [.. group.DataSetWriters.Select(one => Of(one, group, connection, topics, dataSets))],
        };

    private static ExtensionObject TransportOf(
        WriterGroupOptions group, ConnectionOptions connection, TopicTree topics) =>
        new(new BrokerWriterGroupTransportDataType
        {
            QueueName = topics.Data(group.IsJson, group.Name, null),
            RequestedDeliveryGuarantee = GuaranteeOf(connection),
        });

    private static DataSetWriterDataType Of(
        DataSetWriterOptions writer, WriterGroupOptions group, ConnectionOptions connection, TopicTree topics,
        IReadOnlyList<DataSetOptions> dataSets) => new()
        {
            Name = writer.Name,
            Enabled = true,
            DataSetWriterId = (ushort)writer.DataSetWriterId,
            DataSetFieldContentMask = MessageMasks.Fields(group, DataSetOf(writer, dataSets)),
            KeyFrameCount = KeyFrameCountOf(group, DataSetOf(writer, dataSets)),
            DataSetName = writer.DataSet,
            TransportSettings = connection.IsMqtt
                ? new ExtensionObject(new BrokerDataSetWriterTransportDataType
                {
                    QueueName = topics.Data(
                        group.IsJson, group.Name, group.Batched || group.IsPeriodic ? null : writer.Name),
                    MetaDataQueueName = topics.MetaData(group.IsJson, group.Name, writer.Name),
                    RequestedDeliveryGuarantee = GuaranteeOf(connection),
                })
                : default,
            MessageSettings = group.IsJson
                ? new ExtensionObject(new JsonDataSetWriterMessageDataType
                {
                    DataSetMessageContentMask = MessageMasks.JsonDataSetMessage(group),
                })
                : new ExtensionObject(new UadpDataSetWriterMessageDataType
                {
                    DataSetMessageContentMask = MessageMasks.UadpDataSetMessageOf(group),
                }),
        };

    private static DataSetOptions? DataSetOf(DataSetWriterOptions writer, IReadOnlyList<DataSetOptions> dataSets) =>
        dataSets.FirstOrDefault(one => one.Name == writer.DataSet);

    /// <summary>There are no key frames of events: 0.</summary>
    private static uint KeyFrameCountOf(WriterGroupOptions group, DataSetOptions? dataSet) =>
        dataSet is { IsOfEvents: true } ? 0 : group.IsPeriodic ? 1 : (uint)(dataSet?.KeyFrameCount ?? 1);

    private static BrokerTransportQualityOfService GuaranteeOf(ConnectionOptions connection) => connection.Qos == 0
        ? BrokerTransportQualityOfService.AtMostOnce
        : BrokerTransportQualityOfService.AtLeastOnce;
}
