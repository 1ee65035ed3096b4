namespace Gateway.Codec.Pooling;

/// <summary>
/// Bytes in pooled arrays, one behind the other: written bytes are never copied to grow, and at most one
/// <see cref="ByteArrays.SegmentBytes"/> more than needed is held. Owner: its maker, one thread at a time;
/// <see cref="Dispose"/> gives the arrays back, cleared where they held secrets.
/// </summary>
public sealed class ByteChain(bool secret = false) : IDisposable
{
    private const int FirstBytes = 512;

    private Part[] _parts = new Part[4];
    private int _first;
    private int _end;

    public int Length { get; private set; }

    /// <summary>Of the arrays that are held.</summary>
    public int CapacityBytes { get; private set; }

    /// <summary>All of it, where it is in one piece.</summary>
    public bool IsOnePart => _end - _first <= 1;

    /// <summary>The oldest bytes, as many as are in one piece; empty: there are none.</summary>
    public ReadOnlySpan<byte> First =>
        _first == _end ? default : _parts[_first].Array.AsSpan(0, _parts[_first].Length);

    public void Write(ReadOnlySpan<byte> bytes)
    {
        while (bytes.Length > 0)
        {
            if (_first == _end || _parts[_end - 1].Length == _parts[_end - 1].Array.Length)
                AddPart(bytes.Length);
            ref var part = ref _parts[_end - 1];
            var count = Math.Min(bytes.Length, part.Array.Length - part.Length);
            bytes[..count].CopyTo(part.Array.AsSpan(part.Length));
            part.Length += count;
            Length += count;
            bytes = bytes[count..];
        }
    }

    /// <summary>Gives <see cref="First"/> back; its bytes are gone.</summary>
    public void DropFirst()
    {
        ref var part = ref _parts[_first];
        Length -= part.Length;
        CapacityBytes -= part.Array.Length;
        ByteArrays.Return(part.Array, secret);
        part = default;
        if (++_first == _end)
            (_first, _end) = (0, 0);
    }

    /// <summary>Moves everything into <paramref name="target"/>; each array goes back once it is copied.</summary>
    public void MoveTo(Span<byte> target)
    {
        while (_first != _end)
        {
            First.CopyTo(target);
            target = target[First.Length..];
            DropFirst();
        }
    }

    public void Dispose()
    {
        while (_first != _end)
            DropFirst();
    }

    /// <summary>As much again as there is, up to a segment.</summary>
    private void AddPart(int bytes)
    {
        if (_end == _parts.Length)
        {
            if (_first > 0)
            {
                Array.Copy(_parts, _first, _parts, 0, _end - _first);
                Array.Clear(_parts, _end - _first, _first);
                (_first, _end) = (0, _end - _first);
            }
            else
            {
                Array.Resize(ref _parts, 2 * _end);
            }
        }

        var size = Math.Min(Math.Max(Math.Max(bytes, CapacityBytes), FirstBytes), ByteArrays.SegmentBytes);
        var array = ByteArrays.Rent(size);
        _parts[_end++] = new Part { Array = array };
        CapacityBytes += array.Length;
    }

    private struct Part
    {
        public byte[] Array;
        public int Length;
    }
}
