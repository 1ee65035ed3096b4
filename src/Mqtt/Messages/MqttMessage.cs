using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.Messages;

/// <summary>A message to publish. Topic and payload must not change before the call's task has ended.</summary>
public readonly record struct MqttMessage
{
    /// <summary>UTF-8, without wildcards.</summary>
    public required ReadOnlyMemory<byte> Topic { get; init; }

    public ReadOnlyMemory<byte> Payload { get; init; }

    public MqttQos Qos { get; init; }

    public bool Retain { get; init; }

    /// <summary>Null: none. 3.1.1 does not send them.</summary>
    public MqttPublishProperties? Properties { get; init; }
}
