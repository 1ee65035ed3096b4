using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.Tests.Packets;

public sealed class FixedHeaderTests
{
    /// <summary>The table of MQTT 5.0 §1.5.5: the limits of one to four bytes.</summary>
    [Theory]
    [InlineData("30 00", 2, 0)]
    [InlineData("30 7F", 2, 127)]
    [InlineData("30 80 01", 3, 128)]
    [InlineData("30 FF 7F", 3, 16_383)]
    [InlineData("30 80 80 01", 4, 16_384)]
    [InlineData("30 FF FF 7F", 4, 2_097_151)]
    [InlineData("30 80 80 80 01", 5, 2_097_152)]
    [InlineData("30 FF FF FF 7F", 5, 268_435_455)]
    public void TryRead_LimitsOfTheTable_AreRead(string bytes, int headerLength, int remainingLength)
    {
        var whole = Hex.Of(bytes);
        for (var length = 0; length < whole.Length; length++)
        {
            Assert.False(FixedHeader.TryRead(whole.AsSpan(0, length), out _, out var early));
            Assert.Equal(MqttFault.None, early);
        }

        Assert.True(FixedHeader.TryRead(whole, out var header, out _));
        Assert.Equal(new FixedHeader(0x30, headerLength, remainingLength), header);
        Assert.Equal(PacketType.Publish, header.Type);
    }

    /// <summary>A fifth byte of length, and lengths that are longer than needed (MQTT 5.0 §1.5.5).</summary>
    [Theory]
    [InlineData("30 FF FF FF FF")]
    [InlineData("30 80 80 80 80 01")]
    [InlineData("30 80 00")]
    [InlineData("30 FF 80 00")]
    public void TryRead_MalformedLength_IsAFault(string bytes)
    {
        Assert.False(FixedHeader.TryRead(Hex.Of(bytes), out _, out var fault));
        Assert.Equal(MqttFault.MalformedPacket, fault);
    }
}
