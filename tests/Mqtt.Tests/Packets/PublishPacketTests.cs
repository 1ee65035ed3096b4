using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.Tests.Packets;

/// <summary>Examples worked out by hand from MQTT 5.0 §3.3 and MQTT 3.1.1 §3.3.</summary>
public sealed class PublishPacketTests
{
    /// <summary>The non-normative example of MQTT 3.1.1 §3.3.2: topic a/b, packet identifier 10.</summary>
    [Fact]
    public void PUBLISH_Qos1In311_FieldsAreRead()
    {
        var fault = Parse("32 09 0003 'a/b' 000A '42'", MqttVersion.V311, out var packet);

        Assert.Equal(MqttFault.None, fault);
        Assert.Equal("a/b"u8, packet.Topic);
        Assert.Equal("42"u8, packet.Payload);
        Assert.Equal((MqttQos.AtLeastOnce, (ushort)10), (packet.Qos, packet.PacketIdentifier));
        Assert.False(packet.IsDuplicate || packet.IsRetained);
    }

    /// <summary>First byte 0x3B: type 3, DUP, QoS 1, RETAIN (MQTT 5.0 §3.3.1). Properties: 3 of the alias, 2 of the
    /// subscription identifier, 2 of the format indicator.</summary>
    [Fact]
    public void PUBLISH_WithPropertiesIn5_FieldsAreRead()
    {
        var fault = Parse("3B 11 0003 'a/b' 0001 07 23 0005 0B 07 01 01 '{}'", MqttVersion.V5, out var packet);

        Assert.Equal(MqttFault.None, fault);
        Assert.Equal("{}"u8, packet.Payload);
        Assert.True(packet.IsDuplicate && packet.IsRetained);
        Assert.Equal(5, packet.TopicAlias);
    }

    [Theory]
    [InlineData("34 05 0001 'a' 0001", MqttFault.ProtocolError)] // QoS 2: never asked for (MQTT 5.0 §3.8.4)
    [InlineData("36 05 0001 'a' 0001", MqttFault.MalformedPacket)] // QoS 3 (MQTT 5.0 §3.3.1.2)
    [InlineData("38 04 0001 'a' 00", MqttFault.ProtocolError)] // DUP with QoS 0 (MQTT 5.0 §3.3.1.1)
    [InlineData("32 06 0001 'a' 0000 00", MqttFault.ProtocolError)] // packet identifier 0 (MQTT 5.0 §2.2.1)
    [InlineData("30 03 0000 00", MqttFault.ProtocolError)] // no topic, no alias (MQTT 5.0 §3.3.2.1)
    [InlineData("30 06 0000 03 23 0000", MqttFault.TopicAliasInvalid)] // alias 0 (MQTT 5.0 §3.3.2.3.4)
    [InlineData("30 05 0002 'a#' 00", MqttFault.TopicNameInvalid)] // a wildcard in a name (MQTT 5.0 §3.3.2.1)
    [InlineData("30 05 0002 C328 00", MqttFault.InvalidText)] // no UTF-8 (MQTT 5.0 §1.5.4)
    [InlineData("30 06 0003 EDA080 00", MqttFault.InvalidText)] // a surrogate (MQTT 5.0 §1.5.4)
    [InlineData("30 05 0002 6100 00", MqttFault.InvalidText)] // U+0000 (MQTT 5.0 §1.5.4)
    [InlineData("30 04 0009 'a' 00", MqttFault.MalformedPacket)] // a topic longer than its packet
    [InlineData("30 04 0001 'a' 05", MqttFault.MalformedPacket)] // properties longer than their packet
    [InlineData("30 05 0001 'a' 01 7F", MqttFault.MalformedPacket)] // no such property (MQTT 5.0 §2.2.2.2)
    [InlineData("30 09 0001 'a' 05 11 00000001", MqttFault.ProtocolError)] // a property of CONNECT
    [InlineData("30 08 0001 'a' 04 01 00 01 00", MqttFault.ProtocolError)] // a property twice
    [InlineData("30 06 0001 'a' 02 01 02", MqttFault.ProtocolError)] // format indicator 2 (MQTT 5.0 §3.3.2.3.2)
    [InlineData("30 01 00", MqttFault.MalformedPacket)]
    public void PUBLISH_ThatBreaksTheRules_HasItsFault(string bytes, MqttFault expected) =>
        Assert.Equal(expected, Parse(bytes, MqttVersion.V5, out _));

    [Fact]
    public void PUBLISH_CutAnywhere_IsNoException()
    {
        var whole = Hex.Of("0003 'a/b' 0001 13 23 0005 0B 07 26 0001 'k' 0001 'v' 03 0004 'json' '{}'");
        for (var length = 0; length <= whole.Length; length++)
        {
            var header = new FixedHeader(0x32, 2, length);
            var fault = PublishPacket.Parse(header, whole.AsSpan(0, length), MqttVersion.V5, out _);
            Assert.Equal(length < whole.Length - 2, fault != MqttFault.None);
        }
    }

    [Theory]
    [InlineData(MqttVersion.V311, "33 0A 0003 'a/b' 000A '{1}'")]
    [InlineData(MqttVersion.V5, "33 0E 0003 'a/b' 000A 03 23 0002 '{1}'")]
    public void PublishForm_Written_IsAsByHand(MqttVersion version, string expected)
    {
        var form = new PublishForm
        {
            Version = version,
            Topic = "a/b"u8,
            Payload = "{1}"u8,
            Qos = MqttQos.AtLeastOnce,
            Retain = true,
            PacketIdentifier = 10,
            TopicAlias = version == MqttVersion.V5 ? (ushort)2 : (ushort)0,
        };

        var bytes = new byte[form.PacketLength];
        form.Write(bytes);

        Assert.Equal(Hex.Of(expected), bytes);
    }

    [Theory]
    [InlineData(0, 7)]
    [InlineData(121, 128)]
    [InlineData(122, 130)]
    [InlineData(16_377, 16_385)]
    [InlineData(16_378, 16_387)]
    public void PublishForm_PacketLength_FollowsTheLengthField(int payload, long expected)
    {
        // Behind the header: 2 + 3 of the topic, 1 of no properties (MQTT 5.0 §3.3.2).
        var form = new PublishForm { Version = MqttVersion.V5, Topic = "a/b"u8, Payload = new byte[payload] };

        Assert.Equal(expected + 1, form.PacketLength);
    }

    private static MqttFault Parse(string packet, MqttVersion version, out PublishPacket parsed)
    {
        var bytes = Hex.Of(packet);
        Assert.True(FixedHeader.TryRead(bytes, out var header, out _));
        Assert.Equal(bytes.Length, header.PacketLength);
        return PublishPacket.Parse(header, bytes.AsSpan(header.HeaderLength), version, out parsed);
    }
}
