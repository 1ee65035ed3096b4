using Gateway.Codec.Structures;

namespace Gateway.PubSub.Json;

/// <summary>A connection's configuration without the parts that subscribers must not get. Source: Part 14 §7.2.5.5.6.
/// </summary>
internal static class PublicParts
{
    public static PubSubConnectionDataType Of(PubSubConnectionDataType whole) => new()
    {
        Name = whole.Name,
        Enabled = whole.Enabled,
        PublisherId = whole.PublisherId,
        TransportProfileUri = whole.TransportProfileUri,
        TransportSettings = whole.TransportSettings,
        WriterGroups = whole.WriterGroups?.Select(Of).ToArray(),
    };

    private static WriterGroupDataType Of(WriterGroupDataType whole) => new()
    {
        Name = whole.Name,
        Enabled = whole.Enabled,
        SecurityMode = whole.SecurityMode,
        SecurityGroupId = whole.SecurityGroupId,
        SecurityKeyServices = whole.SecurityKeyServices,
        MaxNetworkMessageSize = whole.MaxNetworkMessageSize,
        WriterGroupId = whole.WriterGroupId,
        PublishingInterval = whole.PublishingInterval,
        KeepAliveTime = whole.KeepAliveTime,
        Priority = whole.Priority,
        LocaleIds = whole.LocaleIds,
        HeaderLayoutUri = whole.HeaderLayoutUri,
        TransportSettings = whole.TransportSettings,
        MessageSettings = whole.MessageSettings,
        DataSetWriters = whole.DataSetWriters?.Select(Of).ToArray(),
    };

    private static DataSetWriterDataType Of(DataSetWriterDataType whole) => new()
    {
        Name = whole.Name,
        Enabled = whole.Enabled,
        DataSetWriterId = whole.DataSetWriterId,
        DataSetFieldContentMask = whole.DataSetFieldContentMask,
        KeyFrameCount = whole.KeyFrameCount,
        DataSetName = whole.DataSetName,
        TransportSettings = whole.TransportSettings,
        MessageSettings = whole.MessageSettings,
    };
}
