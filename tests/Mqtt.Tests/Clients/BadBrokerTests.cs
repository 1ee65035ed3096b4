using Gateway.Mqtt.Options;
using Gateway.Mqtt.Packets;
using Gateway.Mqtt.States;

namespace Gateway.Mqtt.Tests.Clients;

/// <summary>A broker that breaks the rules: a typed fault, a counter, a new connection.</summary>
public sealed class BadBrokerTests
{
    /// <summary>Longer than its letter T says as a length: 84.</summary>
    private const string NoMqtt =
        "'HTTP/1.1 400 Bad Request\nContent-Type: text/plain\nConnection: close\n\n400 Bad Request: no MQTT here'";

    /// <summary>Bytes behind the CONNACK, the fault, and the reason code of our DISCONNECT (MQTT 5.0 §3.14.2.1).
    /// </summary>
    [Theory]
    [InlineData(NoMqtt, MqttFault.MalformedPacket, 0x81)]
    [InlineData("30 FF FF FF FF", MqttFault.MalformedPacket, 0x81)]
    [InlineData("30 80 00", MqttFault.MalformedPacket, 0x81)]
    [InlineData("30 05 00FF 'abc'", MqttFault.MalformedPacket, 0x81)]
    [InlineData("D0 01 00", MqttFault.MalformedPacket, 0x81)]
    [InlineData("00 00", MqttFault.UnknownPacketType, 0x81)]
    [InlineData("F0 00", MqttFault.UnknownPacketType, 0x81)]
    [InlineData("82 00", MqttFault.MalformedPacket, 0x81)]
    [InlineData("20 03 00 00 00", MqttFault.ProtocolError, 0x82)]
    [InlineData("34 06 0001 'a' 0001 00", MqttFault.ProtocolError, 0x82)]
    [InlineData("36 06 0001 'a' 0001 00", MqttFault.MalformedPacket, 0x81)]
    [InlineData("30 04 0001 '+' 00", MqttFault.TopicNameInvalid, 0x90)]
    [InlineData("30 81 80 04", MqttFault.PacketTooLarge, 0x95)]
    [InlineData("30 FF FF FF 7F", MqttFault.PacketTooLarge, 0x95)]
    [InlineData("90 04 F000 00 01", MqttFault.UnknownAcknowledgement, 0x82)]
    [InlineData("B0 04 F000 00 00", MqttFault.UnknownAcknowledgement, 0x82)]
    [InlineData("30 07 0001 'a' 03 23 0009", MqttFault.TopicAliasInvalid, 0x94)]
    [InlineData("30 06 0000 03 23 0001", MqttFault.ProtocolError, 0x82)]
    [InlineData("30 05 0002 C328 00", MqttFault.InvalidText, 0x81)]
    public async Task Broker_BreaksTheRules_FaultCounterReconnect(string bytes, MqttFault fault, byte reason)
    {
        var (house, link) = await ClientHouse.ConnectedAsync(change: WithSmallLimits);
        await using var _ = house;

        await link.SendAsync(bytes);

        var lost = await house.StateAsync(MqttClientState.Lost);
        Assert.Equal(fault, lost.Fault);
        Assert.Equal(1, house.Client.Counters.Of(fault));
        await link.ExpectAsync($"E0 01 {reason:X2}");
        Assert.Null(await link.TryReadAsync());
        await house.Broker.WelcomeAsync();
        await house.StateAsync(MqttClientState.Connected);
    }

    /// <summary>Bytes instead of a CONNACK.</summary>
    [Theory]
    [InlineData("'SSH-2.0-OpenSSH_9.2'", MqttFault.UnknownPacketType)]
    [InlineData("20 FF FF FF FF", MqttFault.MalformedPacket)]
    [InlineData("20 FF FF FF 7F", MqttFault.PacketTooLarge)]
    [InlineData("30 05 0001 'a' 00 'x'", MqttFault.ProtocolError)]
    [InlineData("00 00", MqttFault.UnknownPacketType)]
    [InlineData("20 03 02 00 00", MqttFault.MalformedPacket)]
    [InlineData("20 01 00", MqttFault.MalformedPacket)]
    public async Task Broker_AnswersNoConnAck_FaultCounterReconnect(string bytes, MqttFault fault)
    {
        await using var house = new ClientHouse(WithSmallLimits);
        house.Client.Start();
        var link = await house.Broker.AcceptAsync();
        await link.ReadAsync();

        await link.SendAsync(bytes);

        Assert.Equal(fault, (await house.StateAsync(MqttClientState.Lost)).Fault);
        Assert.Equal((1, 0), (house.Client.Counters.Of(fault), house.Client.Counters.Connections));
        await house.Broker.WelcomeAsync();
        await house.StateAsync(MqttClientState.Connected);
    }

    [Theory]
    [InlineData("20 03 00 86 00", MqttReasonCode.BadUserNameOrPassword, "bad user name or password")]
    [InlineData("20 03 00 89 00", MqttReasonCode.ServerBusy, "the broker is busy")]
    public async Task CONNACK_WithAFailure_RefusedWithReason(string connAck, MqttReasonCode reason, string words)
    {
        await using var house = new ClientHouse();
        house.Client.Start();
        await house.Broker.WelcomeAsync(connAck);

        var refused = await house.StateAsync(MqttClientState.Refused);

        Assert.Equal((MqttFault.Refused, reason), (refused.Fault, refused.Reason));
        Assert.Equal($"the broker refused the connection: {words}", refused.Words);
        await house.Broker.WelcomeAsync();
        await house.StateAsync(MqttClientState.Connected);
    }

    [Theory]
    [InlineData("", MqttFault.ClosedByBroker)]
    [InlineData("30", MqttFault.ClosedInPacket)]
    [InlineData("30 FF 01 0001 'a'", MqttFault.ClosedInPacket)]
    [InlineData("E0 01 8B", MqttFault.DisconnectedByBroker)]
    public async Task Broker_Closes_FaultCounterReconnect(string bytes, MqttFault fault)
    {
        var (house, link) = await ClientHouse.ConnectedAsync();
        await using var _ = house;

        if (bytes.Length > 0)
            await link.SendAsync(bytes);
        link.Shut();

        var lost = await house.StateAsync(MqttClientState.Lost);
        Assert.Equal(fault, lost.Fault);
        Assert.Equal(fault == MqttFault.DisconnectedByBroker, lost.Reason == MqttReasonCode.ServerShuttingDown);
        Assert.Equal(1, house.Client.Counters.Of(fault));
        await house.Broker.WelcomeAsync();
        await house.StateAsync(MqttClientState.Connected);
    }

    /// <summary>Receive Maximum 2 (MQTT 5.0 §3.3.4): the third message without PUBACK ends the connection.</summary>
    [Fact]
    public async Task Broker_ExceedsOurReceiveMaximum_FaultCounterReconnect()
    {
        var (house, link) = await ClientHouse.ConnectedAsync(change: WithSmallLimits);
        await using var _ = house;
        var release = new TaskCompletionSource();
        await house.SubscribeAsync(link, "a", async _ => await release.Task);

        await link.SendAsync("32 06 0001 'a' 0001 00 32 06 0001 'a' 0002 00 32 06 0001 'a' 0003 00");

        Assert.Equal(MqttFault.ReceiveMaximumExceeded, (await house.StateAsync(MqttClientState.Lost)).Fault);
        await link.ExpectAsync("E0 01 93");
        release.SetResult();
        await house.Broker.WelcomeAsync();
        await house.StateAsync(MqttClientState.Connected);
    }

    /// <summary>A packet of 64 KiB in pieces: the buffer grows with the bytes and shrinks again.</summary>
    [Fact]
    public void ReceiveBuffer_DeclaredLength_TakesMemoryOnlyAsBytesCome()
    {
        using var buffer = new Connections.ReceiveBuffer(1024 * 1024);
        byte[] packet = [0x30, 0xFC, 0xFF, 0x03, .. new byte[65_532]];
        var before = buffer.CapacityBytes;
        packet.AsSpan(0, 4).CopyTo(buffer.FreeMemory().Span);
        buffer.Advance(4);
        Assert.False(buffer.TryPeek(out _, out _, out _));
        Assert.Equal(before, buffer.CapacityBytes);

        for (var at = 4; at < packet.Length;)
        {
            var free = buffer.FreeMemory().Span;
            var count = Math.Min(Math.Min(free.Length, 1000), packet.Length - at);
            packet.AsSpan(at, count).CopyTo(free);
            buffer.Advance(count);
            at += count;
        }

        Assert.True(buffer.TryPeek(out var header, out var body, out _));
        Assert.Equal(65_532, body.Length);
        buffer.Consume(header);
        buffer.FreeMemory();
        Assert.InRange(buffer.CapacityBytes, 1, 2 * before);
    }

    /// <summary>Two packets, cut at every place and byte by byte.</summary>
    [Fact]
    public void ReceiveBuffer_PacketsCutAnywhere_AreTheSame()
    {
        var bytes = Packets.Hex.Of("32 08 0001 'a' 0001 00 'xy' D0 00");
        for (var cut = 0; cut <= bytes.Length; cut++)
            Assert.Equal([0x32, 0xD0], Feed(bytes[..cut], bytes[cut..]));
        Assert.Equal([0x32, 0xD0], Feed([.. bytes.Select(one => new[] { one })]));
    }

    private static List<byte> Feed(params byte[][] pieces)
    {
        using var buffer = new Connections.ReceiveBuffer(1024);
        var packets = new List<byte>();
        foreach (var piece in pieces)
        {
            piece.CopyTo(buffer.FreeMemory().Span);
            buffer.Advance(piece.Length);
            while (buffer.TryPeek(out var header, out _, out _))
            {
                packets.Add(header.First);
                buffer.Consume(header);
            }
        }

        return packets;
    }

    private static MqttClientOptions WithSmallLimits(MqttClientOptions options) => options with
    {
        Limits = options.Limits with { MaxTopicAliases = 8, MaxPacketSizeBytes = 65_536, ReceiveMaximum = 2 },
    };
}
