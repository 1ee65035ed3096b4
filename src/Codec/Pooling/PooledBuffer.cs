namespace Gateway.Codec.Pooling;

/// <summary>
/// Shape: <c>[headroom | written | free]</c> in one rented array. The headroom is where a message's headers go once the
/// body is known, so that sealing needs no copy. Owner: its maker (a shard, a read loop, a lane worker); one thread at
/// a time. <see cref="Reset"/> empties it for the next message and gives an array that grew past
/// <see cref="KeptSizeBytes"/> back; <see cref="Dispose"/> returns the array, cleared where it held secrets.
/// </summary>
public sealed class PooledBuffer : IDisposable
{
    /// <summary>The most that an idle buffer may keep: one full chunk of the default 64 KiB.</summary>
    private const int KeptSizeBytes = 64 * 1024;

    private readonly int _headroom;
    private readonly int _limitBytes;
    private readonly bool _secret;
    private byte[] _array;
    private int _end;

    /// <param name="headroom">Bytes kept free in front.</param>
    /// <param name="limitBytes">The most that may be written; past it a writer fails (R04).</param>
    /// <param name="secret">Clear the array before it goes back to the pool.</param>
    public PooledBuffer(int headroom = 0, int limitBytes = 16 * 1024 * 1024, bool secret = false)
    {
        _headroom = headroom;
        _limitBytes = limitBytes;
        _secret = secret;
        _array = [];
        _end = headroom;
    }

    /// <param name="array">Of <see cref="ByteArrays.Rent"/>; the buffer's from here on.</param>
    /// <param name="length">The bytes that are written already.</param>
    /// <param name="secret">Clear the array before it goes back to the pool.</param>
    public PooledBuffer(byte[] array, int length, bool secret)
    {
        (_array, _end, _secret, _limitBytes) = (array, length, secret, array.Length);
    }

    public int Length => _end - _headroom;

    public int Headroom => _headroom;

    /// <summary>Of the array that is held.</summary>
    public int CapacityBytes => _array.Length;

    public ReadOnlySpan<byte> WrittenSpan => Length == 0 ? default : _array.AsSpan(_headroom, Length);

    /// <summary>Valid until the next write or <see cref="Reset"/>.</summary>
    public ReadOnlyMemory<byte> WrittenMemory => Length == 0 ? default : _array.AsMemory(_headroom, Length);

    /// <summary>Headroom and written bytes in place: what sealing works on.</summary>
    public Span<byte> WholeSpan => _array.AsSpan(0, Math.Min(_end, _array.Length));

    public Span<byte> FreeSpan
    {
        get
        {
            if (_array.Length == 0)
                Rent(_headroom + 512);
            return _array.AsSpan(_end, Math.Min(_array.Length - _end, _limitBytes - Length));
        }
    }

    /// <summary><see cref="FreeSpan"/>, for later writes.</summary>
    public Memory<byte> FreeMemory
    {
        get
        {
            var length = FreeSpan.Length;
            return _array.AsMemory(_end, length);
        }
    }

    /// <summary>Makes the first <paramref name="count"/> bytes of <see cref="FreeSpan"/> part of the written ones.
    /// </summary>
    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)count, (uint)FreeSpan.Length);
        _end += count;
    }

    /// <summary>Grows so that <paramref name="pending"/> bytes in the free span are kept and
    /// <paramref name="count"/> more fit; false at the limit.</summary>
    public bool TryGrow(int pending, int count)
    {
        var needed = (long)Length + pending + count;
        if (needed > _limitBytes)
            return false;
        var size = Math.Min(Math.Max(needed, 2L * _array.Length), (long)_limitBytes) + _headroom;
        var old = _array;
        Rent((int)Math.Max(size, _headroom + needed));
        old.AsSpan(0, Math.Min(old.Length, _end + pending)).CopyTo(_array);
        Return(old);
        return true;
    }

    public void Write(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length > FreeSpan.Length && !TryGrow(0, bytes.Length))
            throw new InvalidOperationException("The buffer's limit is the caller's to keep.");
        bytes.CopyTo(FreeSpan);
        Advance(bytes.Length);
    }

    public void Reset()
    {
        if (_secret)
            WholeSpan.Clear();
        _end = _headroom;
        if (_array.Length > KeptSizeBytes * 2)
            Dispose();
    }

    public void Dispose()
    {
        Return(_array);
        _array = [];
        _end = _headroom;
    }

    private void Rent(int size) => _array = ByteArrays.Rent(size);

    private void Return(byte[] array)
    {
        if (array.Length > 0)
            ByteArrays.Return(array, _secret);
    }
}
