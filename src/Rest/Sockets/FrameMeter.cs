using System.Buffers.Binary;

namespace Gateway.Rest.Sockets;

/// <summary>Looks at the frames that come in, in the bytes of their stream, and counts those without data: ping, pong,
/// close, empty fragments. The framework answers them by itself and tells nobody, so a flood of them would show
/// nowhere. The framework also takes frames that a client has not masked, which RFC 6455 §5.1 forbids. Shape: <c>FIN,
/// opcode | MASK, length | length of 2 or 8 bytes | mask of 4 bytes | payload</c>. Owner: the stream; one thread at a
/// time. Source: RFC 6455 §5.2.</summary>
/// <param name="perSecond">Such frames a second.</param>
/// <param name="time">Of the rate.</param>
internal sealed class FrameMeter(int perSecond, TimeProvider time)
{
    private const int MaxHeaderBytes = 14;
    private const int MaskBytes = 4;
    private const byte ControlBit = 0x08;
    private const byte MaskBit = 0x80;
    private const byte LengthBits = 0x7F;
    private const byte LengthOf16Bits = 126;
    private const byte LengthOf64Bits = 127;

    private readonly byte[] _header = new byte[MaxHeaderBytes];
    private SocketRate _rate = new(perSecond);
    private int _read;
    private ulong _payload;

    /// <summary>Tells the peer why, before its stream ends.</summary>
    public Func<SocketEnd, Task>? Ended { get; set; }

    public TimeProvider Time => time;

    /// <summary>Something came that must not, or too often.</summary>
    public SocketEnd End { get; private set; }

    public void Add(ReadOnlySpan<byte> bytes)
    {
        while (bytes.Length > 0)
        {
            if (_payload > 0)
            {
                var count = (int)Math.Min(_payload, (ulong)bytes.Length);
                bytes = bytes[count..];
                _payload -= (ulong)count;
                continue;
            }

            _header[_read++] = bytes[0];
            bytes = bytes[1..];
            if (_read < 2 || _read < HeaderBytes(_header[1]))
                continue;
            _read = 0;
            _payload = LengthOf(_header);
            if ((_header[1] & MaskBit) == 0)
                End = SocketEnd.Malformed;
            else if (((_header[0] & ControlBit) != 0 || _payload == 0) && !_rate.TryTake(time))
                End = SocketEnd.ControlFrames;
        }
    }

    private static int HeaderBytes(byte second) => 2 + (second & LengthBits) switch
    {
        LengthOf16Bits => sizeof(ushort),
        LengthOf64Bits => sizeof(ulong),
        _ => 0,
    } + ((second & MaskBit) != 0 ? MaskBytes : 0);

    private static ulong LengthOf(ReadOnlySpan<byte> header) => (header[1] & LengthBits) switch
    {
        LengthOf16Bits => BinaryPrimitives.ReadUInt16BigEndian(header[2..]),
        LengthOf64Bits => BinaryPrimitives.ReadUInt64BigEndian(header[2..]),
        var length => (ulong)length,
    };
}
