namespace Gateway.Mqtt.Sessions;

/// <summary>
/// Shape: <c>[written | free]</c> in one pooled array. It keeps its size when it is emptied, so that a busy connection
/// grows it once and not with each write; <see cref="GiveBack"/> is for idle times. Threads: its owner's lock.
/// </summary>
/// <param name="arrays">Where they come from and go to.</param>
internal sealed class SendBuffer(ISendArrays arrays)
{
    private const int SmallestBytes = 16 * 1024;

    private byte[] _array = [];

    public int Length { get; private set; }

    public int CapacityBytes => _array.Length;

    /// <summary>Valid until the next write.</summary>
    public ReadOnlyMemory<byte> Written => _array.AsMemory(0, Length);

    public Span<byte> Free => _array.AsSpan(Length);

    /// <summary>Makes room for <paramref name="count"/> more bytes.</summary>
    /// <param name="count">Of bytes.</param>
    /// <param name="limit">It grows in doubles up to here, and above it by what is needed.</param>
    public void Reserve(int count, int limit)
    {
        var needed = (long)Length + count;
        if (needed <= _array.Length)
            return;
        var doubled = Math.Min(2L * _array.Length, limit);
        var grown = arrays.Rent((int)Math.Max(Math.Max(needed, doubled), SmallestBytes));
        Written.Span.CopyTo(grown);
        Return();
        _array = grown;
    }

    public void Advance(int count) => Length += count;

    public void Clear() => Length = 0;

    /// <summary>It is empty behind it.</summary>
    public void GiveBack()
    {
        Return();
        (_array, Length) = ([], 0);
    }

    private void Return()
    {
        if (_array.Length > 0)
            arrays.Return(_array);
    }
}
