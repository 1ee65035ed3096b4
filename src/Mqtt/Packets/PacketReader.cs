using System.Buffers.Binary;

namespace Gateway.Mqtt.Packets;

/// <summary>Reads the fields of one packet from a span. The first error stays in <see cref="Fault"/>; later reads
/// return defaults, so a caller checks once. It allocates nothing. Source: MQTT 5.0 §1.5.</summary>
internal ref struct PacketReader(ReadOnlySpan<byte> packet)
{
    private ReadOnlySpan<byte> _rest = packet;

    public MqttFault Fault { get; private set; }

    public readonly int Remaining => _rest.Length;

    public byte ReadByte() => Take(1) is [var value] ? value : (byte)0;

    public ushort ReadUInt16() =>
        Take(2) is { Length: 2 } bytes ? BinaryPrimitives.ReadUInt16BigEndian(bytes) : (ushort)0;

    public uint ReadUInt32() => Take(4) is { Length: 4 } bytes ? BinaryPrimitives.ReadUInt32BigEndian(bytes) : 0;

    /// <summary>One to four bytes, in the shortest form. Source: MQTT 5.0 §1.5.5.</summary>
    public int ReadVariableByteInteger()
    {
        var value = 0;
        for (var i = 0; i < 4; i++)
        {
            var next = ReadByte();
            value |= (next & 0x7F) << (7 * i);
            if ((next & 0x80) != 0)
                continue;
            if (i > 0 && next == 0)
                break;
            return value;
        }

        Fail(MqttFault.MalformedPacket);
        return 0;
    }

    public ReadOnlySpan<byte> ReadBinary() => Take(ReadUInt16());

    /// <summary>Error: InvalidText.</summary>
    public ReadOnlySpan<byte> ReadText()
    {
        var text = ReadBinary();
        if (MqttText.IsText(text))
            return text;
        Fail(MqttFault.InvalidText);
        return default;
    }

    public ReadOnlySpan<byte> ReadRest() => Take(_rest.Length);

    /// <summary>The properties with their length in front; none where the packet has ended and may end there.
    /// </summary>
    public ReadOnlySpan<byte> ReadProperties() => Take(ReadVariableByteInteger());

    public void Fail(MqttFault fault)
    {
        if (Fault == MqttFault.None)
            Fault = fault;
        _rest = default;
    }

    private ReadOnlySpan<byte> Take(int count)
    {
        if (count > _rest.Length)
        {
            Fail(MqttFault.MalformedPacket);
            return default;
        }

        var taken = _rest[..count];
        _rest = _rest[count..];
        return taken;
    }
}
