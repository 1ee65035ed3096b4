using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Options;
using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.Tests.Packets;

public sealed class ConnectFormTests
{
    /// <summary>MQTT 3.1.1 §3.1: name, level 4, flags 0x02 (clean session), keep alive 60.</summary>
    [Fact]
    public void CONNECT_In311_IsAsByHand()
    {
        var options = new MqttClientOptions
        {
            Host = "h",
            Version = MqttVersion.V311,
            ClientId = "c1",
            KeepAlive = TimeSpan.FromSeconds(60),
        };

        Assert.Equal(
            Hex.Of("10 0E 0004 'MQTT' 04 02 003C 0002 'c1'"),
            options.ToConnect("c1", isFirst: true).ToBytes());
    }

    /// <summary>Flags 0xEC: user, password, Will retain, Will QoS 1, Will; no clean start (MQTT 5.0 §3.1.2.3).
    /// Properties: 5 of session expiry, 3 of receive maximum, 5 of packet size, 3 of aliases. Will properties: 5 of the
    /// delay, 7 of the content type (MQTT 5.0 §3.1.3.2).</summary>
    [Fact]
    public void CONNECT_In5WithEverything_IsAsByHand()
    {
        var options = new MqttClientOptions
        {
            Host = "h",
            UserName = "u",
            Password = "pw",
            KeepAlive = TimeSpan.FromSeconds(10),
            SessionExpiry = TimeSpan.FromMinutes(1),
            Will = new MqttWill
            {
                Topic = "w",
                Payload = "x"u8.ToArray(),
                Qos = MqttQos.AtLeastOnce,
                Retain = true,
                Delay = TimeSpan.FromSeconds(3),
                Properties = new MqttPublishProperties(contentType: "json"),
            },
            Limits = new MqttLimits { ReceiveMaximum = 20, MaxPacketSizeBytes = 0x10000, MaxTopicAliases = 4 },
        };

        var expected = Hex.Of(
            "0004 'MQTT' 05 EC 000A 10 11 0000003C 21 0014 27 00010000 22 0004"
            + "0002 'c2' 0C 18 00000003 03 0004 'json' 0001 'w' 0001 'x' 0001 'u' 0002 'pw'");
        byte[] packet = [0x10, (byte)expected.Length, .. expected];
        Assert.Equal(packet, options.ToConnect("c2", isFirst: true).ToBytes());
    }

    [Theory]
    [InlineData(MqttVersion.V5, true, 60, true, true)]
    [InlineData(MqttVersion.V5, true, 60, false, false)]
    [InlineData(MqttVersion.V5, false, 60, true, false)]
    [InlineData(MqttVersion.V5, false, 0, false, true)]
    [InlineData(MqttVersion.V311, false, 0, true, true)]
    [InlineData(MqttVersion.V311, false, 60, true, false)]
    public void CleanStart_OfEachConnection_FollowsTheSession(
        MqttVersion version, bool cleanStart, int expirySeconds, bool isFirst, bool expected)
    {
        var options = new MqttClientOptions
        {
            Host = "h",
            ClientId = "c",
            Version = version,
            CleanStart = cleanStart,
            SessionExpiry = TimeSpan.FromSeconds(expirySeconds),
        };

        Assert.Equal(expected, options.ToConnect("c", isFirst).CleanStart);
    }
}
