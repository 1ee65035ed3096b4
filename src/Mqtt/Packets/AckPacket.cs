namespace Gateway.Mqtt.Packets;

/// <summary>
/// PUBACK, SUBACK and UNSUBACK that came; this client asks for one filter at a time, so each carries one reason code.
/// <code>
/// | packet identifier | reason code | properties (5.0) |         PUBACK; 3.1.1 ends behind the identifier
/// | packet identifier | properties (5.0) | reason codes |        SUBACK and UNSUBACK
/// </code>
/// Errors: MalformedPacket, ProtocolError. Source: MQTT 5.0 §3.4, MQTT 5.0 §3.9, MQTT 5.0 §3.11.
/// </summary>
internal readonly record struct AckPacket(ushort PacketIdentifier, MqttReasonCode Reason)
{
    private static readonly ulong Allowed = PropertyReader.Set(PropertyId.ReasonString, PropertyId.UserProperty);

    public static MqttFault ParsePubAck(ReadOnlySpan<byte> body, MqttVersion version, out AckPacket packet)
    {
        var reader = new PacketReader(body);
        var id = reader.ReadUInt16();
        var reason = MqttReasonCode.Success;
        if (version == MqttVersion.V5 && reader.Remaining > 0)
        {
            reason = (MqttReasonCode)reader.ReadByte();
            if (reader.Remaining > 0)
                Check(ref reader);
        }

        packet = new AckPacket(id, reason);
        return EndOf(ref reader, id);
    }

    public static MqttFault ParseSubAck(ReadOnlySpan<byte> body, MqttVersion version, out AckPacket packet)
    {
        var reader = new PacketReader(body);
        var id = reader.ReadUInt16();
        if (version == MqttVersion.V5)
            Check(ref reader);
        packet = new AckPacket(id, (MqttReasonCode)reader.ReadByte());
        return EndOf(ref reader, id);
    }

    /// <summary>In 3.1.1 it has no reason code and means success.</summary>
    public static MqttFault ParseUnsubAck(ReadOnlySpan<byte> body, MqttVersion version, out AckPacket packet)
    {
        if (version == MqttVersion.V5)
            return ParseSubAck(body, version, out packet);
        var reader = new PacketReader(body);
        packet = new AckPacket(reader.ReadUInt16(), MqttReasonCode.Success);
        return EndOf(ref reader, packet.PacketIdentifier);
    }

    private static void Check(ref PacketReader reader)
    {
        var properties = new PropertyReader(reader.ReadProperties(), Allowed);
        while (properties.MoveNext())
            continue;
        if (properties.Fault != MqttFault.None)
            reader.Fail(properties.Fault);
    }

    private static MqttFault EndOf(ref PacketReader reader, ushort id)
    {
        if (reader.Remaining > 0)
            reader.Fail(MqttFault.MalformedPacket);
        if (id == 0)
            reader.Fail(MqttFault.ProtocolError);
        return reader.Fault;
    }
}
