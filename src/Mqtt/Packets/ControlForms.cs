namespace Gateway.Mqtt.Packets;

/// <summary>The small packets that this client sends. Each method writes into a span with room for
/// <see cref="MaxFixedLength"/> bytes, or for the length that its twin computes, and returns the length.</summary>
internal static class ControlForms
{
    /// <summary>PUBACK, PINGREQ and DISCONNECT are never longer.</summary>
    public const int MaxFixedLength = 5;

    /// <summary>Success in the short form of both versions. Source: MQTT 5.0 §3.4.2.1.</summary>
    public static int WritePubAck(Span<byte> target, ushort packetIdentifier)
    {
        var writer = new PacketWriter(target);
        writer.WriteHeader(PacketType.PubAck, 0, 2);
        writer.WriteUInt16(packetIdentifier);
        return writer.Length;
    }

    public static int WritePingReq(Span<byte> target)
    {
        var writer = new PacketWriter(target);
        writer.WriteHeader(PacketType.PingReq, 0, 0);
        return writer.Length;
    }

    /// <summary>3.1.1 has no reason code; neither is Success written. Source: MQTT 5.0 §3.14.2.1.</summary>
    public static int WriteDisconnect(Span<byte> target, MqttVersion version, MqttReasonCode reason)
    {
        var writer = new PacketWriter(target);
        var hasReason = version == MqttVersion.V5 && reason != MqttReasonCode.Success;
        writer.WriteHeader(PacketType.Disconnect, 0, hasReason ? 1 : 0);
        if (hasReason)
            writer.WriteByte((byte)reason);
        return writer.Length;
    }

    /// <summary>One filter. <paramref name="identifier"/> 0: none. Source: MQTT 5.0 §3.8.</summary>
    /// <param name="version">Of the connection.</param>
    /// <param name="packetIdentifier">For the SUBACK.</param>
    /// <param name="filter">Valid.</param>
    /// <param name="options">The byte behind the filter.</param>
    /// <param name="identifier">Subscription Identifier; 5.0 only.</param>
    public static byte[] Subscribe(
        MqttVersion version, ushort packetIdentifier, ReadOnlySpan<byte> filter, byte options, int identifier)
    {
        var properties = version == MqttVersion.V5 && identifier > 0 ? 1 + PacketWriter.SizeOfLength(identifier) : 0;
        var length = 2 + (version == MqttVersion.V5 ? 1 + properties : 0) + 2 + filter.Length + 1;
        var packet = new byte[1 + PacketWriter.SizeOfLength(length) + length];
        var writer = new PacketWriter(packet);
        writer.WriteHeader(PacketType.Subscribe, 2, length);
        writer.WriteUInt16(packetIdentifier);
        if (version == MqttVersion.V5)
            writer.WriteVariableByteInteger(properties);
        if (properties > 0)
        {
            writer.WriteByte((byte)PropertyId.SubscriptionIdentifier);
            writer.WriteVariableByteInteger(identifier);
        }

        writer.WriteBinary(filter);
        writer.WriteByte(options);
        return packet;
    }

    /// <summary>One filter. Source: MQTT 5.0 §3.10.</summary>
    public static byte[] Unsubscribe(MqttVersion version, ushort packetIdentifier, ReadOnlySpan<byte> filter)
    {
        var length = 2 + (version == MqttVersion.V5 ? 1 : 0) + 2 + filter.Length;
        var packet = new byte[1 + PacketWriter.SizeOfLength(length) + length];
        var writer = new PacketWriter(packet);
        writer.WriteHeader(PacketType.Unsubscribe, 2, length);
        writer.WriteUInt16(packetIdentifier);
        if (version == MqttVersion.V5)
            writer.WriteVariableByteInteger(0);
        writer.WriteBinary(filter);
        return packet;
    }
}
