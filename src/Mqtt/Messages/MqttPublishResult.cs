using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.Messages;

/// <param name="Outcome">How the publish ended.</param>
/// <param name="Reason">Of the PUBACK, or the code that says the outcome best.</param>
public readonly record struct MqttPublishResult(MqttPublishOutcome Outcome, MqttReasonCode Reason)
{
    public bool IsSuccess => Outcome is MqttPublishOutcome.Sent or MqttPublishOutcome.Acknowledged;

    internal static MqttPublishResult Of(MqttPublishOutcome outcome) => new(outcome, outcome switch
    {
        MqttPublishOutcome.Sent or MqttPublishOutcome.Acknowledged => MqttReasonCode.Success,
        MqttPublishOutcome.NotConnected => MqttReasonCode.ServerUnavailable,
        MqttPublishOutcome.QueueFull => MqttReasonCode.QuotaExceeded,
        MqttPublishOutcome.TopicInvalid => MqttReasonCode.TopicNameInvalid,
        MqttPublishOutcome.TooLarge or MqttPublishOutcome.TooLargeForBroker => MqttReasonCode.PacketTooLarge,
        MqttPublishOutcome.QosNotSupported => MqttReasonCode.QosNotSupported,
        MqttPublishOutcome.RetainNotSupported => MqttReasonCode.RetainNotSupported,
        _ => MqttReasonCode.UnspecifiedError,
    });
}
