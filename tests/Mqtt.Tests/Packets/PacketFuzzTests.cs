using Gateway.Mqtt.Packets;
using Gateway.Mqtt.Sessions;

namespace Gateway.Mqtt.Tests.Packets;

/// <summary>Each packet of a broker with each bit flipped, cut at each byte, and random bytes: a fault or a packet,
/// never an exception.</summary>
public sealed class PacketFuzzTests
{
    private static readonly string[] Bodies =
    [
        "0003 'a/b' 0001 13 23 0005 0B 07 26 0001 'k' 0001 'v' 03 0004 'json' '{}'",
        "01 00 2D 11 00000078 21 0005 24 00 25 00 27 00000400 12 0003 'abc' 22 0007 13 0014 28 00 29 00 2A 00"
            + "26 0001 'k' 0001 'v' 1F 0000",
        "000A 97 05 1F 0002 'no'",
        "F001 07 26 0001 'k' 0001 'v' 01",
        "9D 05 1C 0002 'b2'",
    ];

    [Fact]
    public void Packets_EachBitFlippedAndEachCut_AreNoException()
    {
        var faults = 0;
        foreach (var body in Bodies.Select(Hex.Of))
        {
            for (var bit = 0; bit < body.Length * 8; bit++)
            {
                var flipped = body.ToArray();
                flipped[bit / 8] ^= (byte)(1 << (bit % 8));
                faults += ReadAll(flipped);
            }

            for (var length = 0; length < body.Length; length++)
                faults += ReadAll(body.AsSpan(0, length));
        }

        Assert.InRange(faults, 1000, int.MaxValue);
    }

    [Fact]
    public void Packets_OfRandomBytes_AreNoException()
    {
        var random = new Random(1);
        var bytes = new byte[64];
        var faults = 0;
        for (var i = 0; i < 20_000; i++)
        {
            random.NextBytes(bytes);
            faults += ReadAll(bytes.AsSpan(0, random.Next(bytes.Length)));
        }

        Assert.InRange(faults, 100_000, int.MaxValue);
    }

    /// <summary>By every parser in both versions; returns the number of faults.</summary>
    private static int ReadAll(ReadOnlySpan<byte> body)
    {
        var faults = 0;
        FixedHeader.TryRead(body, out _, out _);
        foreach (var version in Enum.GetValues<MqttVersion>())
        {
            for (var flags = 0; flags < 16; flags += 2)
            {
                var header = new FixedHeader((byte)(0x30 | flags), 2, body.Length);
                var fault = PublishPacket.Parse(header, body, version, out var packet);
                if (fault == MqttFault.None)
                    fault = new InboundAliases(4).Resolve(ref packet);
                faults += Count(fault);
            }

            faults += Count(ConnAckPacket.Parse(body, version, out _));
            faults += Count(AckPacket.ParsePubAck(body, version, out _));
            faults += Count(AckPacket.ParseSubAck(body, version, out _));
            faults += Count(AckPacket.ParseUnsubAck(body, version, out _));
            faults += Count(DisconnectPacket.Parse(body, out _));
        }

        return faults;
    }

    private static int Count(MqttFault fault) => fault == MqttFault.None ? 0 : 1;
}
