namespace Gateway.Codec.Pooling;

/// <summary>Arrays that wait to be used again, the last returned first. Of those beyond <paramref name="warmBytes"/>
/// the system has the memory back while they wait. Threads: any; one short lock.</summary>
/// <param name="warmBytes">Small beside the arrays that a flood leaves, large beside everyday needs.</param>
/// <param name="mostBytes">Those beyond are not kept: the runtime counts them as used.</param>
internal sealed class IdleArrays(long warmBytes, long mostBytes = long.MaxValue)
{
    /// <summary>Looked at for one that fits: where sizes differ few are idle.</summary>
    private const int MostLookedAt = 32;

    private readonly Lock _lock = new();
    private readonly List<byte[]> _idle = [];
    private long _bytes;
    private int _fewest;

    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>Null: there is none of such a size.</summary>
    public byte[]? Take(int atLeastBytes, long atMostBytes)
    {
        lock (_lock)
        {
            var last = Math.Max(0, _idle.Count - MostLookedAt);
            for (var i = _idle.Count - 1; i >= last; i--)
            {
                var array = _idle[i];
                if (array.Length < atLeastBytes || array.Length > atMostBytes)
                    continue;
                _idle.RemoveAt(i);
                _bytes -= array.Length;
                _fewest = Math.Min(_fewest, _idle.Count);
                return array;
            }

            return null;
        }
    }

    /// <param name="array">The caller's alone until now. Pinned, unless it is larger than all that may be kept.</param>
    public void Add(byte[] array)
    {
        if (array.Length > mostBytes)
            return;
        if (Bytes + array.Length > Math.Min(warmBytes, mostBytes))
            ArrayPages.Release(array);
        lock (_lock)
        {
            if (_bytes + array.Length > mostBytes)
                return;
            _idle.Add(array);
            _bytes += array.Length;
        }
    }

    public void Clear()
    {
        byte[][] dropped;
        lock (_lock)
        {
            dropped = [.. _idle];
            _idle.Clear();
            (_bytes, _fewest) = (0, 0);
        }

        foreach (var array in dropped)
            ArrayPages.Release(array);
    }

    /// <summary>Drops as many as were idle all the time since the last call: the oldest.</summary>
    public void Trim()
    {
        byte[][] dropped;
        lock (_lock)
        {
            dropped = _fewest == 0 ? [] : [.. _idle.Take(_fewest)];
            foreach (var array in dropped)
                _bytes -= array.Length;
            _idle.RemoveRange(0, _fewest);
            if (_idle.Capacity > 4 * (_idle.Count + 16))
                _idle.TrimExcess();
            _fewest = _idle.Count;
        }

        foreach (var array in dropped)
            ArrayPages.Release(array);
    }
}
