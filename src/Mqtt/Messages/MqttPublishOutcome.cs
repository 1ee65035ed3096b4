namespace Gateway.Mqtt.Messages;

/// <summary>How a publish ended. Each outcome has a counter.</summary>
public enum MqttPublishOutcome
{
    /// <summary>QoS 0: the bytes are in the connection's send queue.</summary>
    Sent,

    /// <summary>QoS 1: PUBACK came, with success.</summary>
    Acknowledged,

    /// <summary>QoS 1: PUBACK came, with a failure.</summary>
    Refused,

    /// <summary>QoS 1: the broker ended <c>MaxResends</c> connections while this message was the oldest one under way,
    /// and the last one while it was the only one. The same message would end the next connection, too.</summary>
    GivenUp,

    /// <summary>The caller cancelled it before it was sent.</summary>
    Withdrawn,

    /// <summary>QoS 0 without a connection: dropped by policy.</summary>
    NotConnected,

    /// <summary>All places for waiting publishes are taken: dropped by policy.</summary>
    QueueFull,

    /// <summary>The topic is empty, no UTF-8, or holds a wildcard. Permanent.</summary>
    TopicInvalid,

    /// <summary>Above our own <c>MaxPacketSizeBytes</c>. Permanent with this configuration.</summary>
    TooLarge,

    /// <summary>Above this broker's Maximum Packet Size; another connection may allow more.</summary>
    TooLargeForBroker,

    /// <summary>Above this broker's Maximum QoS, or no QoS of this client.</summary>
    QosNotSupported,

    /// <summary>This broker keeps no retained messages.</summary>
    RetainNotSupported,

    /// <summary>The client was ended before the PUBACK came.</summary>
    Closed,
}
