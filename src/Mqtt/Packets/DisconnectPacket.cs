namespace Gateway.Mqtt.Packets;

/// <summary>A DISCONNECT that came; in 3.1.1 a broker sends none. Errors: MalformedPacket, ProtocolError.
/// Source: MQTT 5.0 §3.14.</summary>
internal static class DisconnectPacket
{
    private static readonly ulong Allowed = PropertyReader.Set(
        PropertyId.SessionExpiryInterval, PropertyId.ReasonString, PropertyId.UserProperty,
        PropertyId.ServerReference);

    public static MqttFault Parse(ReadOnlySpan<byte> body, out MqttReasonCode reason)
    {
        reason = MqttReasonCode.Success;
        if (body.IsEmpty)
            return MqttFault.None;
        var reader = new PacketReader(body);
        reason = (MqttReasonCode)reader.ReadByte();
        if (reader.Remaining == 0)
            return reader.Fault;
        var properties = new PropertyReader(reader.ReadProperties(), Allowed);
        while (properties.MoveNext())
            continue;
        if (reader.Remaining > 0)
            reader.Fail(MqttFault.MalformedPacket);
        return reader.Fault != MqttFault.None ? reader.Fault : properties.Fault;
    }
}
