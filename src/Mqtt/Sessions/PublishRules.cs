using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Options;
using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.Sessions;

/// <summary>Which publishes cannot go, by our limits and by the broker's.</summary>
internal sealed class PublishRules(MqttVersion version, MqttLimits limits)
{
    /// <summary>An alias beside the topic.</summary>
    private readonly int _aliasBytes = version == MqttVersion.V5 ? 3 : 0;

    /// <param name="message">With a valid topic.</param>
    /// <param name="broker">Null: without a connection only our own limits are known.</param>
    public MqttPublishOutcome? RefusalOf(in MqttMessage message, ConnAckPacket? broker)
    {
        if (message.Qos > MqttQos.AtLeastOnce)
            return MqttPublishOutcome.QosNotSupported;
        var length = MessageForm.Of(version, message).PacketLength + _aliasBytes;
        if (length > limits.MaxPacketSizeBytes)
            return MqttPublishOutcome.TooLarge;
        if (broker is null)
            return null;
        if (length > broker.MaximumPacketSize)
            return MqttPublishOutcome.TooLargeForBroker;
        if (message.Qos > broker.MaximumQos)
            return MqttPublishOutcome.QosNotSupported;
        return message.Retain && !broker.RetainAvailable ? MqttPublishOutcome.RetainNotSupported : null;
    }
}
