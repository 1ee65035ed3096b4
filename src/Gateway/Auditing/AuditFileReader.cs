using Gateway.Store.Files;

namespace Gateway.Host.Auditing;

/// <summary>The lines of one audit file, from its beginning. Owner: one thread.</summary>
internal sealed class AuditFileReader(IStoreFile file)
{
    private readonly byte[] _buffer = new byte[2 * AuditChain.MaxLineBytes];
    private int _start;
    private int _end;
    private long _offset;

    /// <summary>A line is longer than any of the trail: the reader ends there.</summary>
    public bool IsTooLong { get; private set; }

    /// <summary>Behind the last line feed is more.</summary>
    public bool HasRest => _end > _start;

    /// <param name="line">Without its line feed; until the next call.</param>
    public bool TryRead(out ReadOnlySpan<byte> line)
    {
        while (true)
        {
            var held = _buffer.AsSpan(_start.._end);
            if (held.IndexOf((byte)'\n') is >= 0 and var length)
            {
                line = held[..length];
                _start += length + 1;
                return true;
            }

            held.CopyTo(_buffer);
            (_start, _end) = (0, held.Length);
            line = default;
            IsTooLong = _end == _buffer.Length;
            if (IsTooLong || file.Read(_buffer.AsSpan(_end), _offset) is not (> 0 and var count))
                return false;
            _offset += count;
            _end += count;
        }
    }
}
