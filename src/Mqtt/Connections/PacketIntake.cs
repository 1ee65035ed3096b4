using Gateway.Mqtt.Packets;
using Gateway.Mqtt.Sessions;

namespace Gateway.Mqtt.Connections;

/// <summary>Takes the packets that came on one connection and gives each to its part. Threads: the reading loop.
/// </summary>
internal sealed class PacketIntake(ClientParts parts, InboundAliases aliases, BrokerConnection connection)
{
    private MqttVersion Version => parts.Options.Version;

    /// <summary>All whole packets of the buffer. False: the inbox has no room for the first one.</summary>
    /// <exception cref="MqttConnectException">A packet ends the connection.</exception>
    public bool TryTakeAll(ReceiveBuffer buffer, ConnectionDeadlines deadlines)
    {
        MqttFault fault;
        while (buffer.TryPeek(out var header, out var body, out fault))
        {
            fault = Take(header, body, out var isBlocked);
            if (isBlocked)
                return false;
            if (fault != MqttFault.None)
                break;
            buffer.Consume(header);
            deadlines.Received();
        }

        return fault == MqttFault.None ? true : throw new MqttConnectException(fault);
    }

    private MqttFault Take(FixedHeader header, ReadOnlySpan<byte> body, out bool isBlocked)
    {
        isBlocked = false;
        if (header.Type == PacketType.Publish)
            return TakePublish(header, body, out isBlocked);
        if (header.Flags != 0)
            return Enum.IsDefined(header.Type) ? MqttFault.MalformedPacket : MqttFault.UnknownPacketType;
        return header.Type switch
        {
            PacketType.PubAck => TakePubAck(body),
            PacketType.SubAck => TakeSubAck(AckPacket.ParseSubAck(body, Version, out var ack), ack, false),
            PacketType.UnsubAck => TakeSubAck(AckPacket.ParseUnsubAck(body, Version, out var ack), ack, true),
            PacketType.PingResp => body.IsEmpty ? MqttFault.None : MqttFault.MalformedPacket,
            PacketType.Disconnect when Version == MqttVersion.V5 => TakeDisconnect(body),
            PacketType.ConnAck or PacketType.Disconnect => MqttFault.ProtocolError,
            _ => MqttFault.UnknownPacketType,
        };
    }

    private MqttFault TakePublish(FixedHeader header, ReadOnlySpan<byte> body, out bool isBlocked)
    {
        isBlocked = false;
        var fault = PublishPacket.Parse(header, body, Version, out var packet);
        if (fault == MqttFault.None)
            fault = aliases.Resolve(ref packet);
        if (fault != MqttFault.None)
            return fault;
        var needsAck = packet.Qos == MqttQos.AtLeastOnce;
        if (needsAck && !connection.MayReceive())
            return MqttFault.ReceiveMaximumExceeded;

        // Counted before it can be handled: its PUBACK must not come first.
        if (needsAck)
            connection.CountUnacknowledged();
        if (parts.Inbox.TryPut(packet, connection.Number))
            return MqttFault.None;
        connection.UncountUnacknowledged();
        isBlocked = true;
        return MqttFault.None;
    }

    private MqttFault TakePubAck(ReadOnlySpan<byte> body)
    {
        var fault = AckPacket.ParsePubAck(body, Version, out var ack);
        if (fault != MqttFault.None)
            return fault;
        // A broker may repeat one behind a resume: that is worth no reconnect.
        if (!parts.Outbound.TryAcknowledge(ack))
            parts.Counters.CountStrayAcknowledgement();
        return MqttFault.None;
    }

    private MqttFault TakeSubAck(MqttFault fault, AckPacket ack, bool isUnsubscribe)
    {
        if (fault != MqttFault.None)
            return fault;
        if (!parts.Subscriptions.TryAcknowledge(ack, isUnsubscribe))
            return MqttFault.UnknownAcknowledgement;

        // Suspects go only where no subscription is under way.
        parts.Outbound.Pump();
        return MqttFault.None;
    }

    private static MqttFault TakeDisconnect(ReadOnlySpan<byte> body)
    {
        var fault = DisconnectPacket.Parse(body, out var reason);
        return fault == MqttFault.None
            ? throw new MqttConnectException(MqttFault.DisconnectedByBroker, reason)
            : fault;
    }
}
