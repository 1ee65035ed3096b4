namespace Gateway.Mqtt.Messages;

/// <summary>How a publish ended.</summary>
public enum MqttPublishOutcome
{
    /// <summary>QoS 0: the bytes are in the connection's send queue.</summary>
    Sent,

    /// <summary>QoS 1: PUBACK came, with success.</summary>
    Acknowledged,

    /// <summary>QoS 1: PUBACK came, with a failure.</summary>
    Refused,

    /// <summary>QoS 0 without a connection: dropped by policy.</summary>
    NotConnected,

    /// <summary>All places for waiting publishes are taken: dropped by policy.</summary>
    QueueFull,

    /// <summary>The topic is empty, no UTF-8, or holds a wildcard.</summary>
    TopicInvalid,

    /// <summary>Above our limit or the broker's Maximum Packet Size.</summary>
    TooLarge,

    /// <summary>Above the broker's Maximum QoS.</summary>
    QosNotSupported,

    /// <summary>The broker keeps no retained messages.</summary>
    RetainNotSupported,

    /// <summary>The client was ended before the PUBACK came.</summary>
    Closed,
}
