using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.Tests.Packets;

/// <summary>Bytes behind the header, by MQTT 5.0 §3.2.2 and MQTT 3.1.1 §3.2.2.</summary>
public sealed class ConnAckPacketTests
{
    [Fact]
    public void CONNACK_WithAllLimits_IsRead()
    {
        var fault = ConnAckPacket.Parse(
            Hex.Of(
                "01 00 2D 11 00000078 21 0005 24 00 25 00 27 00000400 12 0003 'abc' 22 0007 13 0014 28 00 29 00 2A 00"
                + "26 0001 'k' 0001 'v' 1F 0000"),
            MqttVersion.V5, out var packet);

        Assert.Equal(MqttFault.None, fault);
        Assert.True(packet.SessionPresent);
        Assert.Equal(MqttReasonCode.Success, packet.Reason);
        Assert.Equal((120U, 5, 1024U), (packet.SessionExpirySeconds, packet.ReceiveMaximum, packet.MaximumPacketSize));
        Assert.Equal((MqttQos.AtMostOnce, false), (packet.MaximumQos, packet.RetainAvailable));
        Assert.Equal("abc", packet.AssignedClientIdentifier);
        Assert.Equal((7, 20), (packet.TopicAliasMaximum, packet.ServerKeepAliveSeconds));
        Assert.False(packet.WildcardSubscriptionAvailable);
        Assert.False(packet.SubscriptionIdentifierAvailable);
        Assert.False(packet.SharedSubscriptionAvailable);
    }

    /// <summary>The defaults of MQTT 5.0 §3.2.2.3.</summary>
    [Fact]
    public void CONNACK_WithoutProperties_HasTheDefaults()
    {
        Assert.Equal(MqttFault.None, ConnAckPacket.Parse(Hex.Of("00 00 00"), MqttVersion.V5, out var packet));

        Assert.Equal((65_535, 0), (packet.ReceiveMaximum, packet.TopicAliasMaximum));
        Assert.Equal(uint.MaxValue, packet.MaximumPacketSize);
        Assert.Equal((MqttQos.AtLeastOnce, true), (packet.MaximumQos, packet.RetainAvailable));
        Assert.Null(packet.ServerKeepAliveSeconds);
        Assert.True(packet.SubscriptionIdentifierAvailable);
    }

    [Theory]
    [InlineData("00 00", MqttReasonCode.Success)]
    [InlineData("00 01", MqttReasonCode.UnsupportedProtocolVersion)]
    [InlineData("00 02", MqttReasonCode.ClientIdentifierNotValid)]
    [InlineData("00 03", MqttReasonCode.ServerUnavailable)]
    [InlineData("00 04", MqttReasonCode.BadUserNameOrPassword)]
    [InlineData("00 05", MqttReasonCode.NotAuthorized)]
    [InlineData("00 77", MqttReasonCode.UnspecifiedError)]
    public void CONNACK_ReturnCodesOf311_AreTranslated(string body, MqttReasonCode expected)
    {
        Assert.Equal(MqttFault.None, ConnAckPacket.Parse(Hex.Of(body), MqttVersion.V311, out var packet));
        Assert.Equal(expected, packet.Reason);
        Assert.False(packet.SubscriptionIdentifierAvailable);
    }

    /// <summary>A broker of 3.1.1 answers CONNECT of 5.0 in its own form.</summary>
    [Fact]
    public void CONNACK_Of311To5_IsUnsupportedVersion()
    {
        Assert.Equal(MqttFault.None, ConnAckPacket.Parse(Hex.Of("00 01"), MqttVersion.V5, out var packet));
        Assert.Equal(MqttReasonCode.UnsupportedProtocolVersion, packet.Reason);
    }

    [Theory]
    [InlineData("02 00 00", MqttFault.MalformedPacket)] // a reserved bit
    [InlineData("01 87 00", MqttFault.ProtocolError)] // a session with a failure
    [InlineData("00 00 03 21 0000", MqttFault.ProtocolError)] // receive maximum 0
    [InlineData("00 00 02 24 02", MqttFault.ProtocolError)] // maximum QoS 2
    [InlineData("00 00 05 27 00000000", MqttFault.ProtocolError)] // packet size 0
    [InlineData("00 00 03 23 0001", MqttFault.ProtocolError)] // a property of PUBLISH
    [InlineData("00 00 06 21 0001 21 0001", MqttFault.ProtocolError)] // twice
    [InlineData("00 00 05 12 0002 C328", MqttFault.InvalidText)]
    [InlineData("00 00 04 12 0009 'a'", MqttFault.MalformedPacket)]
    [InlineData("00 00 00 00", MqttFault.MalformedPacket)] // bytes behind the end
    [InlineData("00 00", MqttFault.MalformedPacket)] // no length of properties
    [InlineData("00", MqttFault.MalformedPacket)]
    [InlineData("", MqttFault.MalformedPacket)]
    public void CONNACK_ThatBreaksTheRules_HasItsFault(string body, MqttFault expected) =>
        Assert.Equal(expected, ConnAckPacket.Parse(Hex.Of(body), MqttVersion.V5, out _));
}
