using System.Text;

namespace Gateway.Mqtt.Packets;

/// <summary>
/// The broker's answer to CONNECT, with its limits.
/// <code>
/// | session present (bit 0) | reason code | properties (5.0) |
/// </code>
/// Errors: MalformedPacket, InvalidText, ProtocolError. Source: MQTT 5.0 §3.2, MQTT 3.1.1 §3.2.
/// </summary>
internal sealed record ConnAckPacket
{
    private static readonly ulong Allowed = PropertyReader.Set(
        PropertyId.SessionExpiryInterval, PropertyId.ReceiveMaximum, PropertyId.MaximumQoS,
        PropertyId.RetainAvailable, PropertyId.MaximumPacketSize, PropertyId.AssignedClientIdentifier,
        PropertyId.TopicAliasMaximum, PropertyId.ReasonString, PropertyId.UserProperty,
        PropertyId.WildcardSubscriptionAvailable, PropertyId.SubscriptionIdentifierAvailable,
        PropertyId.SharedSubscriptionAvailable, PropertyId.ServerKeepAlive, PropertyId.ResponseInformation,
        PropertyId.ServerReference, PropertyId.AuthenticationMethod, PropertyId.AuthenticationData);

    public bool SessionPresent { get; init; }

    public MqttReasonCode Reason { get; init; }

    /// <summary>Seconds; null: as asked for.</summary>
    public uint? SessionExpirySeconds { get; private set; }

    /// <summary>QoS 1 messages of ours that may wait for their PUBACK.</summary>
    public int ReceiveMaximum { get; private set; } = ushort.MaxValue;

    public MqttQos MaximumQos { get; private set; } = MqttQos.AtLeastOnce;

    public bool RetainAvailable { get; private set; } = true;

    /// <summary>Bytes of a whole packet.</summary>
    public uint MaximumPacketSize { get; private set; } = uint.MaxValue;

    /// <summary>Null: the broker keeps ours.</summary>
    public string? AssignedClientIdentifier { get; private set; }

    public int TopicAliasMaximum { get; private set; }

    public bool WildcardSubscriptionAvailable { get; private set; } = true;

    public bool SubscriptionIdentifierAvailable { get; private set; } = true;

    public bool SharedSubscriptionAvailable { get; private set; } = true;

    /// <summary>Seconds; null: ours. 0: none.</summary>
    public int? ServerKeepAliveSeconds { get; private set; }

    public static MqttFault Parse(ReadOnlySpan<byte> body, MqttVersion version, out ConnAckPacket packet)
    {
        var reader = new PacketReader(body);
        var flags = reader.ReadByte();
        var code = reader.ReadByte();
        packet = new ConnAckPacket
        {
            SessionPresent = (flags & 1) != 0,
            Reason = version == MqttVersion.V5 ? (MqttReasonCode)code : ReasonOf(code),
            SubscriptionIdentifierAvailable = version == MqttVersion.V5,
        };
        if ((flags & 0xFE) != 0)
            reader.Fail(MqttFault.MalformedPacket);
        if (packet.SessionPresent && packet.Reason != MqttReasonCode.Success)
            reader.Fail(MqttFault.ProtocolError);
        // A broker that knows only 3.1.1 refuses a CONNECT of 5.0 in its own form. Source: MQTT 5.0 §3.1.2.2.
        if (version == MqttVersion.V5 && !(reader.Remaining == 0 && code == 1))
            packet.ReadProperties(ref reader);
        else if (version == MqttVersion.V5)
            packet = packet with { Reason = MqttReasonCode.UnsupportedProtocolVersion };
        if (reader.Remaining > 0)
            reader.Fail(MqttFault.MalformedPacket);
        return reader.Fault;
    }

    private void ReadProperties(ref PacketReader reader)
    {
        var properties = new PropertyReader(reader.ReadProperties(), Allowed);
        while (properties.MoveNext())
            Take(properties.Id, properties.Number, properties.Bytes);
        if (properties.Fault != MqttFault.None)
            reader.Fail(properties.Fault);
    }

    private void Take(PropertyId id, uint number, ReadOnlySpan<byte> bytes)
    {
        switch (id)
        {
            case PropertyId.SessionExpiryInterval:
                SessionExpirySeconds = number;
                break;
            case PropertyId.ReceiveMaximum:
                ReceiveMaximum = (int)number;
                break;
            case PropertyId.MaximumQoS:
                MaximumQos = (MqttQos)number;
                break;
            case PropertyId.RetainAvailable:
                RetainAvailable = number == 1;
                break;
            case PropertyId.MaximumPacketSize:
                MaximumPacketSize = number;
                break;
            case PropertyId.AssignedClientIdentifier:
                AssignedClientIdentifier = Encoding.UTF8.GetString(bytes);
                break;
            case PropertyId.TopicAliasMaximum:
                TopicAliasMaximum = (int)number;
                break;
            case PropertyId.WildcardSubscriptionAvailable:
                WildcardSubscriptionAvailable = number == 1;
                break;
            case PropertyId.SubscriptionIdentifierAvailable:
                SubscriptionIdentifierAvailable = number == 1;
                break;
            case PropertyId.SharedSubscriptionAvailable:
                SharedSubscriptionAvailable = number == 1;
                break;
            case PropertyId.ServerKeepAlive:
                ServerKeepAliveSeconds = (int)number;
                break;
        }
    }

    /// <summary>Source: MQTT 3.1.1 §3.2.2.3.</summary>
    private static MqttReasonCode ReasonOf(byte returnCode) => returnCode switch
    {
        0 => MqttReasonCode.Success,
        1 => MqttReasonCode.UnsupportedProtocolVersion,
        2 => MqttReasonCode.ClientIdentifierNotValid,
        3 => MqttReasonCode.ServerUnavailable,
        4 => MqttReasonCode.BadUserNameOrPassword,
        5 => MqttReasonCode.NotAuthorized,
        _ => MqttReasonCode.UnspecifiedError,
    };
}
