using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.Messages;

/// <summary>The wishes of a subscription. Source: MQTT 5.0 §3.8.3.1.</summary>
public sealed record MqttSubscriptionOptions
{
    /// <summary>May hold wildcards.</summary>
    public required string Filter { get; init; }

    public MqttQos Qos { get; init; } = MqttQos.AtLeastOnce;

    /// <summary>The broker does not send back what this client publishes; 5.0 only.</summary>
    public bool NoLocal { get; init; }

    /// <summary>The Retain flag stays as the publisher set it; 5.0 only.</summary>
    public bool RetainAsPublished { get; init; }

    public MqttRetainHandling RetainHandling { get; init; }

    internal byte ToByte(MqttVersion version) => version == MqttVersion.V5
        ? (byte)((int)Qos | (NoLocal ? 4 : 0) | (RetainAsPublished ? 8 : 0) | ((int)RetainHandling << 4))
        : (byte)Qos;
}
