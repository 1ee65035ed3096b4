namespace Gateway.Mqtt.Packets;

/// <summary>
/// The first bytes of each packet. Stateless: it sees the bytes that have come and says whether a header is whole.
/// <code>
/// | type (4 bits) | flags (4 bits) | remaining length: 1 to 4 bytes, 7 bits each, the lowest first |
/// </code>
/// Errors: MalformedPacket for a fifth length byte, or for more length bytes than needed. Source: MQTT 5.0 §2.1,
/// MQTT 5.0 §1.5.5.
/// </summary>
/// <param name="First">Type and flags.</param>
/// <param name="HeaderLength">2 to 5 bytes.</param>
/// <param name="RemainingLength">Bytes behind the header.</param>
internal readonly record struct FixedHeader(byte First, int HeaderLength, int RemainingLength)
{
    /// <summary>The most that four bytes of length can say. Source: MQTT 5.0 §1.5.5.</summary>
    public const int MaxRemainingLength = 268_435_455;

    public PacketType Type => (PacketType)(First >> 4);

    public int Flags => First & 0x0F;

    public int PacketLength => HeaderLength + RemainingLength;

    /// <summary>False: more bytes are needed, or <paramref name="fault"/> is set.</summary>
    public static bool TryRead(ReadOnlySpan<byte> bytes, out FixedHeader header, out MqttFault fault)
    {
        header = default;
        fault = MqttFault.None;
        var length = 0;
        for (var i = 1; i < bytes.Length; i++)
        {
            length |= (bytes[i] & 0x7F) << (7 * (i - 1));
            var isLast = (bytes[i] & 0x80) == 0;
            if (isLast && (i == 1 || bytes[i] != 0))
            {
                header = new FixedHeader(bytes[0], i + 1, length);
                return true;
            }

            if (isLast || i == 4)
            {
                fault = MqttFault.MalformedPacket;
                return false;
            }
        }

        return false;
    }
}
