namespace Gateway.Mqtt.Packets;

/// <summary>Cause for which an attempt or a connection ended. Each has a counter.</summary>
public enum MqttFault
{
    None,

    /// <summary>TCP: nothing listens, no route, or the name is unknown.</summary>
    ConnectFailed,

    /// <summary>TCP or TLS took longer than <c>ConnectDeadline</c>.</summary>
    ConnectTimeout,

    TlsFailed,

    /// <summary>The broker's certificate did not pass. Where the broker refuses ours it is TlsFailed, or in TLS 1.3,
    /// which tells only behind the handshake, SocketFailed or ClosedByBroker.</summary>
    CertificateRejected,

    /// <summary>No CONNACK within <c>ConnAckDeadline</c>.</summary>
    ConnAckTimeout,

    /// <summary>CONNACK with a reason code of 0x80 or above.</summary>
    Refused,

    /// <summary>DISCONNECT from the broker, with its reason code.</summary>
    DisconnectedByBroker,

    /// <summary>The broker closed the connection between two packets.</summary>
    ClosedByBroker,

    /// <summary>The broker closed the connection inside a packet.</summary>
    ClosedInPacket,

    SocketFailed,

    /// <summary>A packet that breaks the format.</summary>
    MalformedPacket,

    /// <summary>A text that is no UTF-8, or holds U+0000.</summary>
    InvalidText,

    /// <summary>A packet type that a broker never sends, or that does not exist.</summary>
    UnknownPacketType,

    /// <summary>A packet of the right form at the wrong moment, or a property in the wrong place.</summary>
    ProtocolError,

    /// <summary>A packet above our Maximum Packet Size.</summary>
    PacketTooLarge,

    /// <summary>More QoS 1 messages without PUBACK than our Receive Maximum.</summary>
    ReceiveMaximumExceeded,

    TopicAliasInvalid,

    /// <summary>A message whose topic holds a wildcard.</summary>
    TopicNameInvalid,

    /// <summary>SUBACK or UNSUBACK for a packet identifier that waits for none. Such a PUBACK is only counted
    /// (<c>StrayAcknowledgements</c>).</summary>
    UnknownAcknowledgement,

    /// <summary>No PINGRESP within <c>PingDeadline</c>.</summary>
    PingTimeout,

    /// <summary>A PUBACK, SUBACK or UNSUBACK did not come within <c>AckDeadline</c>.</summary>
    AckTimeout,

    /// <summary>The broker did not take the next 64 KiB within <c>WriteDeadline</c>.</summary>
    WriteTimeout,

    /// <summary>The handlers made no room in the inbox for <c>InboxDeadline</c>.</summary>
    InboxTimeout,

    /// <summary>The broker sends, and does not take our acknowledgements.</summary>
    SendQueueFull,

    /// <summary>A fault of our own; the client goes on with a new connection.</summary>
    Internal,
}
