using System.Buffers;
using Gateway.Codec.Pooling;

namespace Gateway.Codec.Json;

/// <summary>
/// The output of a Utf8JsonWriter: a <see cref="PooledBuffer"/> with a limit. Above the limit it does not throw. It
/// drops the rest of the text, and <see cref="HasOverflowed"/> is true. The same where its meter has no memory.
/// Owner: its writer; one thread at a time.
/// </summary>
internal sealed class JsonBuffer(bool secret) : IBufferWriter<byte>, IDisposable
{
    private const int SmallestBytes = 2 * 1024;

    private readonly PooledBuffer _buffer = new(limitBytes: Array.MaxLength, secret: secret);
    private IBufferMeter? _meter;
    private int _metered;

    /// <summary>Limit on the bytes held at one time.</summary>
    public int LimitBytes { get; set; }

    public bool HasOverflowed { get; private set; }

    /// <summary>The meter was in the way.</summary>
    public bool WasRefused { get; private set; }

    public int Length => _buffer.Length;

    public int CapacityBytes => _buffer.CapacityBytes;

    public ReadOnlySpan<byte> WrittenSpan => _buffer.WrittenSpan;

    public ReadOnlyMemory<byte> WrittenMemory => _buffer.WrittenMemory;

    public void Advance(int count) => _buffer.Advance(count);

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        var size = Math.Max(sizeHint, SmallestBytes);
        if (_buffer.FreeSpan.Length >= size)
            return _buffer.FreeMemory;
        WasRefused |= !TryMeter(Math.Max(_buffer.Length + (long)size, 2L * CapacityBytes));
        if (WasRefused || (long)_buffer.Length + sizeHint > LimitBytes)
        {
            HasOverflowed = true;
            Empty();
        }

        _buffer.TryGrow(0, size);
        // The pool may have had a larger one only.
        TryMeter(CapacityBytes);
        return _buffer.FreeMemory;
    }

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    /// <summary>Counts the array from here on, which is of the usual size; null: nobody counts it.</summary>
    public void SetMeter(IBufferMeter? meter) => (_meter, _metered) = (meter, CapacityBytes);

    /// <summary>Drops the bytes; keeps the array, unless it is larger than usual.</summary>
    public void Empty()
    {
        _buffer.Reset();
        TryMeter(CapacityBytes);
    }

    public void Dispose()
    {
        _buffer.Dispose();
        TryMeter(0);
    }

    /// <summary>Prepares it for the next message.</summary>
    public void Reset()
    {
        Empty();
        HasOverflowed = WasRefused = false;
    }

    private bool TryMeter(long bytes)
    {
        var capacity = (int)Math.Min(bytes, Array.MaxLength);
        if (_meter is null || capacity == _metered)
            return true;
        if (!_meter.TryChange(_metered, capacity))
            return false;
        _metered = capacity;
        return true;
    }
}
