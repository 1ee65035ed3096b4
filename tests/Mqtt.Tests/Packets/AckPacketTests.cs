using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.Tests.Packets;

/// <summary>Bytes behind the header, by MQTT 5.0 §3.4, MQTT 5.0 §3.9, MQTT 5.0 §3.11 and MQTT 5.0 §3.14.</summary>
public sealed class AckPacketTests
{
    [Theory]
    [InlineData("000A", MqttVersion.V311, MqttReasonCode.Success)]
    [InlineData("000A", MqttVersion.V5, MqttReasonCode.Success)]
    [InlineData("000A 10", MqttVersion.V5, MqttReasonCode.NoMatchingSubscribers)]
    [InlineData("000A 97 00", MqttVersion.V5, MqttReasonCode.QuotaExceeded)]
    [InlineData("000A 97 05 1F 0002 'no'", MqttVersion.V5, MqttReasonCode.QuotaExceeded)]
    public void PUBACK_InEachForm_IsRead(string body, MqttVersion version, MqttReasonCode reason)
    {
        Assert.Equal(MqttFault.None, AckPacket.ParsePubAck(Hex.Of(body), version, out var packet));
        Assert.Equal(new AckPacket(10, reason), packet);
    }

    [Theory]
    [InlineData("00", MqttFault.MalformedPacket)]
    [InlineData("0000", MqttFault.ProtocolError)]
    [InlineData("000A 00 09", MqttFault.MalformedPacket)]
    [InlineData("000A 00 00 00", MqttFault.MalformedPacket)]
    [InlineData("000A 00 03 21 0001", MqttFault.ProtocolError)]
    public void PUBACK_ThatBreaksTheRules_HasItsFault(string body, MqttFault expected) =>
        Assert.Equal(expected, AckPacket.ParsePubAck(Hex.Of(body), MqttVersion.V5, out _));

    [Theory]
    [InlineData("F001 01", MqttVersion.V311, MqttReasonCode.GrantedQos1)]
    [InlineData("F001 80", MqttVersion.V311, MqttReasonCode.UnspecifiedError)]
    [InlineData("F001 00 87", MqttVersion.V5, MqttReasonCode.NotAuthorized)]
    public void SUBACK_InEachForm_IsRead(string body, MqttVersion version, MqttReasonCode reason)
    {
        Assert.Equal(MqttFault.None, AckPacket.ParseSubAck(Hex.Of(body), version, out var packet));
        Assert.Equal(new AckPacket(0xF001, reason), packet);
    }

    [Fact]
    public void SUBACK_OfTwoFilters_IsMalformed() => Assert.Equal(
        MqttFault.MalformedPacket, AckPacket.ParseSubAck(Hex.Of("F001 00 01 01"), MqttVersion.V5, out _));

    [Theory]
    [InlineData("F001", MqttVersion.V311)]
    [InlineData("F001 00 00", MqttVersion.V5)]
    public void UNSUBACK_InEachForm_IsRead(string body, MqttVersion version)
    {
        Assert.Equal(MqttFault.None, AckPacket.ParseUnsubAck(Hex.Of(body), version, out var packet));
        Assert.Equal(new AckPacket(0xF001, MqttReasonCode.Success), packet);
    }

    [Theory]
    [InlineData("", MqttReasonCode.Success)]
    [InlineData("8B", MqttReasonCode.ServerShuttingDown)]
    [InlineData("9D 05 1C 0002 'b2'", MqttReasonCode.ServerMoved)]
    public void DISCONNECT_InEachForm_IsRead(string body, MqttReasonCode expected)
    {
        Assert.Equal(MqttFault.None, DisconnectPacket.Parse(Hex.Of(body), out var reason));
        Assert.Equal(expected, reason);
    }

    [Fact]
    public void ControlForms_All_AreAsByHand()
    {
        Span<byte> packet = stackalloc byte[ControlForms.MaxFixedLength];
        Assert.Equal(Hex.Of("40 02 000A"), packet[..ControlForms.WritePubAck(packet, 10)].ToArray());
        Assert.Equal(Hex.Of("C0 00"), packet[..ControlForms.WritePingReq(packet)].ToArray());
        Assert.Equal(Hex.Of("E0 00"), Disconnect(MqttVersion.V5, MqttReasonCode.Success));
        Assert.Equal(Hex.Of("E0 01 04"), Disconnect(MqttVersion.V5, MqttReasonCode.DisconnectWithWillMessage));
        Assert.Equal(Hex.Of("E0 00"), Disconnect(MqttVersion.V311, MqttReasonCode.DisconnectWithWillMessage));
        Assert.Equal(
            Hex.Of("82 09 F001 02 0B 05 0001 'a' 01"),
            ControlForms.Subscribe(MqttVersion.V5, 0xF001, "a"u8, 1, 5));
        Assert.Equal(
            Hex.Of("82 06 F001 0001 'a' 01"), ControlForms.Subscribe(MqttVersion.V311, 0xF001, "a"u8, 1, 5));
        Assert.Equal(Hex.Of("A2 06 F001 00 0001 'a'"), ControlForms.Unsubscribe(MqttVersion.V5, 0xF001, "a"u8));
        Assert.Equal(Hex.Of("A2 05 F001 0001 'a'"), ControlForms.Unsubscribe(MqttVersion.V311, 0xF001, "a"u8));
    }

    private static byte[] Disconnect(MqttVersion version, MqttReasonCode reason)
    {
        var packet = new byte[ControlForms.MaxFixedLength];
        return packet[..ControlForms.WriteDisconnect(packet, version, reason)];
    }
}
