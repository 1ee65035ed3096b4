using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.Sessions;

/// <summary>A message as the PUBLISH that carries it: views into the caller's memory.</summary>
internal static class MessageForm
{
    public static PublishForm Of(MqttVersion version, in MqttMessage message) => new()
    {
        Version = version,
        Topic = message.Topic.Span,
        Payload = message.Payload.Span,
        Properties = message.Properties is null ? default : message.Properties.Encoded,
        Qos = message.Qos,
        Retain = message.Retain,
    };
}
