using System.Buffers;
using Gateway.Codec.Pooling;

namespace Gateway.Codec.Json;

/// <summary>
/// The output of a Utf8JsonWriter: a <see cref="PooledBuffer"/> with a limit. Above the limit it does not throw. It
/// drops the rest of the text, and <see cref="HasOverflowed"/> is true. Owner: its writer; one thread at a time.
/// </summary>
internal sealed class JsonBuffer(bool secret) : IBufferWriter<byte>, IDisposable
{
    private const int SmallestBytes = 2 * 1024;

    private readonly PooledBuffer _buffer = new(limitBytes: Array.MaxLength, secret: secret);

    /// <summary>Limit on the bytes held at one time.</summary>
    public int LimitBytes { get; set; }

    public bool HasOverflowed { get; private set; }

    public int Length => _buffer.Length;

    public ReadOnlySpan<byte> WrittenSpan => _buffer.WrittenSpan;

    public ReadOnlyMemory<byte> WrittenMemory => _buffer.WrittenMemory;

    public void Advance(int count) => _buffer.Advance(count);

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        var size = Math.Max(sizeHint, SmallestBytes);
        if (_buffer.FreeSpan.Length >= size)
            return _buffer.FreeMemory;
        if ((long)_buffer.Length + sizeHint > LimitBytes)
        {
            HasOverflowed = true;
            _buffer.Reset();
        }

        _buffer.TryGrow(0, size);
        return _buffer.FreeMemory;
    }

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    /// <summary>Drops the bytes; keeps the array.</summary>
    public void Empty() => _buffer.Reset();

    public void Dispose() => _buffer.Dispose();

    /// <summary>Prepares it for the next message.</summary>
    public void Reset()
    {
        _buffer.Reset();
        HasOverflowed = false;
    }
}
