namespace Gateway.Codec.Binary;

/// <summary>The share of a <see cref="DecodeBudget"/> that the messages of one certificate or one address hold, with
/// the large values that no collection has taken yet. Asked once a step of a <see cref="DecodeMeter"/>, never for small
/// messages. Thread-safe; its lock is a leaf.</summary>
public sealed class DecodeHolder
{
    private readonly Lock _lock = new();
    private long _bytes;
    private long _newer;
    private long _older;
    private long _collections;

    /// <summary>In use and uncollected.</summary>
    internal long BytesAfter(long collections)
    {
        lock (_lock)
            return SumUnderLock(collections);
    }

    /// <returns>The sum before: of two that ask at once, one sees the other.</returns>
    internal long Add(long bytes, long collections)
    {
        lock (_lock)
        {
            var before = SumUnderLock(collections);
            _bytes += bytes;
            return before;
        }
    }

    internal void Release(long bytes, long largeBytes, long collections)
    {
        lock (_lock)
        {
            SumUnderLock(collections);
            _bytes -= bytes;
            _newer += largeBytes;
        }
    }

    /// <summary>As <see cref="Pooling.UncollectedBytes"/> counts: until the second collection from now has ended.
    /// </summary>
    private long SumUnderLock(long collections)
    {
        if (collections > _collections)
        {
            _older = collections == _collections + 1 ? _newer : 0;
            _newer = 0;
            _collections = collections;
        }

        return _bytes + _newer + _older;
    }
}
