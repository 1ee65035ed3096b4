using System.Buffers.Binary;

namespace Gateway.Testing.Loopback;

/// <summary>Whole frames out of a wire, in a buffer of its own.</summary>
internal sealed class WireFrames(IWire wire)
{
    private readonly byte[] _buffer = new byte[256 * 1024];
    private int _start;
    private int _end;

    /// <returns>One frame; valid, and the caller's to decrypt in place, until the next call.</returns>
    public Span<byte> Receive()
    {
        if (_start == _end)
            _start = _end = 0;
        while (true)
        {
            var held = _buffer.AsSpan(_start.._end);
            var size = held.Length < 8 ? int.MaxValue : BinaryPrimitives.ReadInt32LittleEndian(held[4..]);
            if (held.Length >= size)
            {
                _start += size;
                return held[..size];
            }

            if (_buffer.Length - _end < 65536)
            {
                held.CopyTo(_buffer);
                (_start, _end) = (0, held.Length);
            }

            _end += wire.Receive(_buffer.AsSpan(_end));
        }
    }
}
