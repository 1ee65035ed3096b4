using System.Text;
using Gateway.Mqtt.Messages;

namespace Gateway.PubSub.Outputs;

/// <summary>The properties of messages in MQTT 5; made once. Immutable. Source: Part 14 §7.3.4.9.</summary>
internal sealed class MessageProperties(TopicTree topics)
{
    /// <summary>A broker forgets the retained messages of a publisher that never comes back.</summary>
    public static readonly TimeSpan RetainedExpiry = TimeSpan.FromDays(7);

    private const string Json = "application/json";
    private const string Uadp = "application/opcua+uadp";

    private readonly byte[] _uadpTopics = Encoding.UTF8.GetBytes(topics.Uadp);
    private readonly byte[] _plainTopics = Encoding.UTF8.GetBytes(topics.PlainBelow);
    private readonly MqttPublishProperties _jsonData = Make(Json, TopicTree.DataType, isRetained: false);
    private readonly MqttPublishProperties _uadpData = Make(Uadp, TopicTree.DataType, isRetained: false);
    private readonly MqttPublishProperties _jsonMetaData = Make(Json, TopicTree.MetaDataType, isRetained: true);
    private readonly MqttPublishProperties _uadpMetaData = Make(Uadp, TopicTree.MetaDataType, isRetained: true);

    /// <param name="topic">UTF-8.</param>
    /// <param name="isMetaData">Else data.</param>
    public MqttPublishProperties? Of(ReadOnlySpan<byte> topic, bool isMetaData) => topic.StartsWith(_uadpTopics)
        ? isMetaData ? _uadpMetaData : _uadpData
        : topic.StartsWith(_plainTopics) ? null : isMetaData ? _jsonMetaData : _jsonData;

    public MqttPublishProperties Of(RetainedMessage message) => Make(
        message.TopicBytes.Span.StartsWith(_uadpTopics) ? Uadp : Json, message.Type, message.IsRetained);

    private static MqttPublishProperties Make(string contentType, string type, bool isRetained) => new(
        contentType, messageExpiry: isRetained ? RetainedExpiry : null, isText: contentType == Json,
        userProperties: [new("UAMessageType", "ua-" + type)]);
}
