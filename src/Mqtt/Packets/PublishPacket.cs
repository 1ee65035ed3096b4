namespace Gateway.Mqtt.Packets;

/// <summary>
/// A PUBLISH that came: views into the packet's bytes.
/// <code>
/// | topic | packet identifier (QoS 1) | properties (5.0) | payload |
/// </code>
/// Errors: MalformedPacket (also QoS 3), InvalidText, ProtocolError (QoS 2, DUP with QoS 0, a property that does not
/// belong here, an empty topic without alias), TopicNameInvalid (a wildcard), TopicAliasInvalid (alias 0).
/// Source: MQTT 5.0 §3.3, MQTT 3.1.1 §3.3.
/// </summary>
internal ref struct PublishPacket
{
    private static readonly ulong Allowed = PropertyReader.Set(
        PropertyId.PayloadFormatIndicator, PropertyId.MessageExpiryInterval, PropertyId.TopicAlias,
        PropertyId.ResponseTopic, PropertyId.CorrelationData, PropertyId.UserProperty,
        PropertyId.SubscriptionIdentifier, PropertyId.ContentType);

    public ReadOnlySpan<byte> Topic;
    public ReadOnlySpan<byte> Properties;
    public ReadOnlySpan<byte> Payload;
    public MqttQos Qos;
    public bool IsDuplicate;
    public bool IsRetained;
    public ushort PacketIdentifier;

    /// <summary>0: none.</summary>
    public ushort TopicAlias;

    /// <param name="header">Of the packet.</param>
    /// <param name="body">The bytes behind the header.</param>
    /// <param name="version">Of the connection.</param>
    /// <param name="packet">Valid as long as the body.</param>
    public static MqttFault Parse(
        FixedHeader header, ReadOnlySpan<byte> body, MqttVersion version, out PublishPacket packet)
    {
        packet = new PublishPacket
        {
            Qos = (MqttQos)((header.Flags >> 1) & 3),
            IsDuplicate = (header.Flags & 8) != 0,
            IsRetained = (header.Flags & 1) != 0,
        };
        if ((int)packet.Qos == 3)
            return MqttFault.MalformedPacket;
        if (packet.Qos > MqttQos.AtLeastOnce || (packet.IsDuplicate && packet.Qos == MqttQos.AtMostOnce))
            return MqttFault.ProtocolError;
        var reader = new PacketReader(body);
        packet.Topic = reader.ReadText();
        if (packet.Qos == MqttQos.AtLeastOnce)
        {
            packet.PacketIdentifier = reader.ReadUInt16();
            if (packet.PacketIdentifier == 0)
                reader.Fail(MqttFault.ProtocolError);
        }

        if (version == MqttVersion.V5)
            packet.Properties = reader.ReadProperties();
        packet.Payload = reader.ReadRest();
        if (reader.Fault != MqttFault.None)
            return reader.Fault;
        var fault = packet.ReadProperties();
        if (fault != MqttFault.None)
            return fault;
        if (packet.Topic.IsEmpty)
            return packet.TopicAlias == 0 ? MqttFault.ProtocolError : MqttFault.None;
        return MqttText.IsTopicName(packet.Topic) ? MqttFault.None : MqttFault.TopicNameInvalid;
    }

    private MqttFault ReadProperties()
    {
        var properties = new PropertyReader(Properties, Allowed);
        while (properties.MoveNext())
        {
            if (properties.Id == PropertyId.TopicAlias)
            {
                TopicAlias = (ushort)properties.Number;
                if (TopicAlias == 0)
                    return MqttFault.TopicAliasInvalid;
            }
        }

        return properties.Fault;
    }
}
