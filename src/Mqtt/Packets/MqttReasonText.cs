namespace Gateway.Mqtt.Packets;

/// <summary>Reason codes and faults in words, for logs and reports. Never a text that the broker sent (R24).</summary>
public static class MqttReasonText
{
    public static bool IsFailure(this MqttReasonCode code) => (byte)code >= 0x80;

    /// <summary>One phrase, lower case, without a full stop.</summary>
    public static string Words(this MqttReasonCode code) => code switch
    {
        MqttReasonCode.Success => "success",
        MqttReasonCode.GrantedQos1 => "granted QoS 1",
        MqttReasonCode.GrantedQos2 => "granted QoS 2",
        MqttReasonCode.DisconnectWithWillMessage => "disconnect with Will message",
        MqttReasonCode.NoMatchingSubscribers => "no matching subscribers",
        MqttReasonCode.NoSubscriptionExisted => "no subscription existed",
        MqttReasonCode.MalformedPacket => "the broker calls a packet malformed",
        MqttReasonCode.ProtocolError => "the broker reports a protocol error",
        MqttReasonCode.ImplementationSpecificError => "an error of this broker",
        MqttReasonCode.UnsupportedProtocolVersion => "the broker does not support this protocol version",
        MqttReasonCode.ClientIdentifierNotValid => "the broker rejects the client identifier",
        MqttReasonCode.BadUserNameOrPassword => "bad user name or password",
        MqttReasonCode.NotAuthorized => "not authorized",
        MqttReasonCode.ServerUnavailable => "the broker is unavailable",
        MqttReasonCode.ServerBusy => "the broker is busy",
        MqttReasonCode.Banned => "this client is banned",
        MqttReasonCode.ServerShuttingDown => "the broker shuts down",
        MqttReasonCode.BadAuthenticationMethod => "bad authentication method",
        MqttReasonCode.KeepAliveTimeout => "the broker missed our keep-alive",
        MqttReasonCode.SessionTakenOver => "another client with this client identifier took the session over",
        MqttReasonCode.TopicFilterInvalid => "the broker rejects the topic filter",
        MqttReasonCode.TopicNameInvalid => "the broker rejects the topic name",
        MqttReasonCode.PacketIdentifierInUse => "packet identifier in use",
        MqttReasonCode.PacketIdentifierNotFound => "packet identifier not found",
        MqttReasonCode.ReceiveMaximumExceeded => "receive maximum exceeded",
        MqttReasonCode.TopicAliasInvalid => "topic alias invalid",
        MqttReasonCode.PacketTooLarge => "packet too large",
        MqttReasonCode.MessageRateTooHigh => "message rate too high",
        MqttReasonCode.QuotaExceeded => "a quota of the broker is exceeded",
        MqttReasonCode.AdministrativeAction => "an administrator ended the connection",
        MqttReasonCode.PayloadFormatInvalid => "payload format invalid",
        MqttReasonCode.RetainNotSupported => "the broker keeps no retained messages",
        MqttReasonCode.QosNotSupported => "the broker does not support this QoS",
        MqttReasonCode.UseAnotherServer => "use another broker for now",
        MqttReasonCode.ServerMoved => "the broker has moved",
        MqttReasonCode.SharedSubscriptionsNotSupported => "the broker has no shared subscriptions",
        MqttReasonCode.ConnectionRateExceeded => "connection rate exceeded",
        MqttReasonCode.MaximumConnectTime => "maximum connect time reached",
        MqttReasonCode.SubscriptionIdentifiersNotSupported => "the broker has no subscription identifiers",
        MqttReasonCode.WildcardSubscriptionsNotSupported => "the broker has no wildcard subscriptions",
        _ => "unspecified error",
    };

    /// <summary>One phrase, lower case, without a full stop.</summary>
    public static string Words(this MqttFault fault) => fault switch
    {
        MqttFault.None => "no fault",
        MqttFault.ConnectFailed => "nothing answers at the broker's address",
        MqttFault.ConnectTimeout => "no TCP or TLS connection in time",
        MqttFault.TlsFailed => "the TLS handshake failed",
        MqttFault.CertificateRejected => "the broker's certificate was rejected",
        MqttFault.ConnAckTimeout => "no CONNACK in time",
        MqttFault.Refused => "the broker refused the connection",
        MqttFault.DisconnectedByBroker => "the broker sent DISCONNECT",
        MqttFault.ClosedByBroker => "the broker closed the connection",
        MqttFault.ClosedInPacket => "the broker closed the connection inside a packet",
        MqttFault.SocketFailed => "the connection broke",
        MqttFault.MalformedPacket => "the broker sent a malformed packet",
        MqttFault.InvalidText => "the broker sent a text that is not valid",
        MqttFault.UnknownPacketType => "the broker sent a packet of an unknown type",
        MqttFault.ProtocolError => "the broker broke the protocol",
        MqttFault.PacketTooLarge => "the broker sent a packet above our maximum packet size",
        MqttFault.ReceiveMaximumExceeded => "the broker exceeded our receive maximum",
        MqttFault.TopicAliasInvalid => "the broker used a topic alias out of range",
        MqttFault.TopicNameInvalid => "the broker sent a message to a topic with a wildcard",
        MqttFault.UnknownAcknowledgement => "the broker acknowledged an unknown packet identifier",
        MqttFault.PingTimeout => "no PINGRESP in time",
        MqttFault.AckTimeout => "an acknowledgement did not come in time",
        MqttFault.WriteTimeout => "the broker took no bytes in time",
        MqttFault.InboxTimeout => "the handlers of messages made no room in time",
        MqttFault.SendQueueFull => "the broker does not take our acknowledgements",
        _ => "an internal fault",
    };
}
