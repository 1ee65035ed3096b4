using Gateway.Codec.Pooling;
using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.Connections;

/// <summary>
/// The bytes of one connection that have come: <c>[consumed | packets | free]</c>. It grows with the bytes, never by a
/// declared length, up to one packet of the allowed size, and is small again when it is empty. Threads: the reading
/// loop.
/// </summary>
internal sealed class ReceiveBuffer(int maxPacketBytes) : IDisposable
{
    private const int SmallBytes = 16 * 1024;
    private const int MaxHeaderBytes = 5;

    private byte[] _array = ByteArrays.Rent(SmallBytes);
    private int _start;
    private int _end;

    /// <summary>Bytes of a packet that is not whole yet, or of packets that are not consumed yet.</summary>
    public int Length => _end - _start;

    public int CapacityBytes => _array.Length;

    public Memory<byte> FreeMemory()
    {
        if (_start == _end)
        {
            _start = _end = 0;
            if (_array.Length > SmallBytes * 2)
                Replace(SmallBytes);
        }
        else if (_end == _array.Length && _start > 0)
        {
            _array.AsSpan(_start, Length).CopyTo(_array);
            (_start, _end) = (0, Length);
        }

        if (_end == _array.Length)
            Replace((int)Math.Min(2L * _array.Length, Math.Max(SmallBytes, (long)maxPacketBytes + MaxHeaderBytes)));
        return _array.AsMemory(_end);
    }

    public void Advance(int count) => _end += count;

    /// <summary>The first packet, if it is whole. It stays until <see cref="Consume"/>. Errors: MalformedPacket;
    /// PacketTooLarge as soon as the header says so. A whole header of half a packet is told, too.</summary>
    public bool TryPeek(out FixedHeader header, out ReadOnlySpan<byte> body, out MqttFault fault)
    {
        body = default;
        if (!FixedHeader.TryRead(_array.AsSpan(_start, Length), out header, out fault))
            return false;
        if (header.PacketLength > maxPacketBytes)
        {
            fault = MqttFault.PacketTooLarge;
            return false;
        }

        if (header.PacketLength > Length)
            return false;
        body = _array.AsSpan(_start + header.HeaderLength, header.RemainingLength);
        return true;
    }

    public void Consume(FixedHeader header) => _start += header.PacketLength;

    public void Dispose()
    {
        if (_array.Length > 0)
            ByteArrays.Return(_array);
        _array = [];
        _start = _end = 0;
    }

    private void Replace(int size)
    {
        var old = _array;
        _array = ByteArrays.Rent(size);
        old.AsSpan(_start, Length).CopyTo(_array);
        (_start, _end) = (0, Length);
        ByteArrays.Return(old);
    }
}
