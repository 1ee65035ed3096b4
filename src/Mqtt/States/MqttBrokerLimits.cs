using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.States;

/// <summary>The broker's limits on one connection, as its CONNACK says. 3.1.1 says nothing: then these are the
/// values that hold without a word. Source: MQTT 5.0 §3.2.2.3.</summary>
public sealed record MqttBrokerLimits
{
    /// <summary>Bytes of a whole PUBLISH: the smaller of the broker's limit and ours.</summary>
    public required int MaxPacketSizeBytes { get; init; }

    /// <summary>QoS 1 messages of ours that may wait for their PUBACK: the true window.</summary>
    public required int ReceiveMaximum { get; init; }

    public required MqttQos MaximumQos { get; init; }

    public required bool RetainAvailable { get; init; }

    public required int TopicAliasMaximum { get; init; }

    /// <summary>The broker's, or ours; zero: none.</summary>
    public required TimeSpan KeepAlive { get; init; }

    /// <summary>Granted, or as asked for.</summary>
    public required TimeSpan SessionExpiry { get; init; }

    public required bool WildcardSubscriptions { get; init; }

    public required bool SharedSubscriptions { get; init; }
}
