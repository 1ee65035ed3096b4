using System.Buffers.Text;

namespace Gateway.Loadtest.Scenarios.Rest.Streams;

/// <summary>Takes Server-Sent Events out of an answer that comes in chunks: what arrives is appended, and whole events
/// are handed over as they lie. Not thread-safe.</summary>
internal sealed class EventReader
{
    private const int FirstBytes = 16 * 1024;

    private byte[] _text = new byte[FirstBytes];
    private int _length;
    private byte[] _arrived = new byte[FirstBytes];
    private int _arrivedLength;
    private int _left;
    private bool _hasHead;

    public delegate void EventHandler(ReadOnlySpan<byte> text);

    /// <summary>0 until the head of the answer is there.</summary>
    public int Status { get; private set; }

    /// <summary>Where the next bytes go; <see cref="Arrived"/> follows.</summary>
    public Memory<byte> Free
    {
        get
        {
            if (_arrivedLength == _arrived.Length)
                Array.Resize(ref _arrived, 2 * _arrived.Length);
            return _arrived.AsMemory(_arrivedLength);
        }
    }

    /// <summary>Errors: InvalidDataException where it is no answer in chunks.</summary>
    public void Arrived(int count, EventHandler handler)
    {
        _arrivedLength += count;
        var rest = _arrived.AsSpan(0, _arrivedLength);
        if (!_hasHead)
        {
            var end = rest.IndexOf("\r\n\r\n"u8);
            if (end < 0)
                return;
            if (!Utf8Parser.TryParse(rest["HTTP/1.1 ".Length..end], out int status, out _))
                throw new InvalidDataException("no answer of HTTP");
            (Status, _hasHead) = (status, true);
            rest = rest[(end + 4)..];
        }

        while (TryTakeChunk(ref rest))
        {
        }

        rest.CopyTo(_arrived);
        _arrivedLength = rest.Length;
        HandOver(handler);
    }

    /// <summary>Some of a chunk, or its line. False: more has to come.</summary>
    private bool TryTakeChunk(ref Span<byte> rest)
    {
        if (_left == 0)
        {
            // The line in front of the first chunk has none before it.
            var from = rest.StartsWith("\r\n"u8) ? 2 : 0;
            var end = rest[from..].IndexOf("\r\n"u8);
            if (end < 0)
                return false;
            if (!Utf8Parser.TryParse(rest.Slice(from, end), out _left, out _, 'x'))
                throw new InvalidDataException("no answer in chunks");
            rest = rest[(from + end + 2)..];
            return _left > 0;
        }

        if (rest.IsEmpty)
            return false;
        var some = rest[..Math.Min(_left, rest.Length)];
        if (_length + some.Length > _text.Length)
            Array.Resize(ref _text, Math.Max(2 * _text.Length, _length + some.Length));
        some.CopyTo(_text.AsSpan(_length));
        _length += some.Length;
        _left -= some.Length;
        rest = rest[some.Length..];
        return true;
    }

    private void HandOver(EventHandler handler)
    {
        var text = _text.AsSpan(0, _length);
        for (var end = text.IndexOf("\n\n"u8); end >= 0; end = text.IndexOf("\n\n"u8))
        {
            handler(text[..end]);
            text = text[(end + 2)..];
        }

        text.CopyTo(_text);
        _length = text.Length;
    }
}
