using System.Buffers.Binary;

namespace Gateway.Mqtt.Packets;

/// <summary>Writes fields into a span that has room for them. Made without a span it only counts: the same code says
/// how long a packet is and then writes it. Source: MQTT 5.0 §1.5.</summary>
internal ref struct PacketWriter(Span<byte> target)
{
    private readonly Span<byte> _target = target;
    private readonly bool _counts = target.IsEmpty;

    public int Length { get; private set; }

    public static int SizeOfLength(int length) => length switch
    {
        < 1 << 7 => 1,
        < 1 << 14 => 2,
        < 1 << 21 => 3,
        _ => 4,
    };

    public void WriteByte(byte value)
    {
        if (!_counts)
            _target[Length] = value;
        Length++;
    }

    public void WriteUInt16(int value)
    {
        if (!_counts)
            BinaryPrimitives.WriteUInt16BigEndian(_target[Length..], (ushort)value);
        Length += 2;
    }

    public void WriteUInt32(uint value)
    {
        if (!_counts)
            BinaryPrimitives.WriteUInt32BigEndian(_target[Length..], value);
        Length += 4;
    }

    public void WriteVariableByteInteger(int value)
    {
        while (value > 0x7F)
        {
            WriteByte((byte)(value | 0x80));
            value >>= 7;
        }

        WriteByte((byte)value);
    }

    /// <summary>At most 65,535 bytes, with their length in front.</summary>
    public void WriteBinary(ReadOnlySpan<byte> bytes)
    {
        WriteUInt16(bytes.Length);
        WriteBytes(bytes);
    }

    public void WriteBytes(ReadOnlySpan<byte> bytes)
    {
        if (!_counts)
            bytes.CopyTo(_target[Length..]);
        Length += bytes.Length;
    }

    public void WriteProperty(PropertyId id, ushort value)
    {
        WriteByte((byte)id);
        WriteUInt16(value);
    }

    public void WriteProperty(PropertyId id, uint value)
    {
        WriteByte((byte)id);
        WriteUInt32(value);
    }

    public void WriteProperty(PropertyId id, ReadOnlySpan<byte> bytes)
    {
        WriteByte((byte)id);
        WriteBinary(bytes);
    }

    public void WriteHeader(PacketType type, int flags, int remainingLength)
    {
        WriteByte((byte)(((int)type << 4) | flags));
        WriteVariableByteInteger(remainingLength);
    }
}
