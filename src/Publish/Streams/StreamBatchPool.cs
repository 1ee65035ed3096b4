using System.Numerics;

namespace Gateway.Publish.Streams;

/// <summary>Idle batches of a shard's streams by the size of their arrays, powers of two, so that each hand-over finds
/// an array of its size, and one that grows gives back the smaller one. The streams bound the batches in use; of the
/// idle ones 0.75 MiB of small and as much of large ones stay, the rest goes to the collector. Threads: any; its lock
/// is a leaf.</summary>
internal sealed class StreamBatchPool
{
    /// <summary>In changes of 24 bytes, of small and of large ones: twice the largest batch.</summary>
    internal const int MaxIdleChanges = 32 * 1024;

    private const int FirstLength = 4;

    /// <summary>24 KiB: below the threshold of the large object heap.</summary>
    private const int MaxSmallChanges = 1024;

    private readonly Lock _lock = new();
    private readonly Stack<StreamBatch>?[] _idle = new Stack<StreamBatch>?[32];
    private int _smallChanges;
    private int _largeChanges;

    /// <summary>That the idle ones have room for.</summary>
    internal int IdleChanges
    {
        get
        {
            lock (_lock)
                return _smallChanges + _largeChanges;
        }
    }

    /// <param name="changes">About as many as it will hold; it grows with more.</param>
    public StreamBatch Rent(int changes)
    {
        var capacity = (int)BitOperations.RoundUpToPowerOf2((uint)Math.Max(changes, FirstLength));
        lock (_lock)
        {
            if (_idle[BitOperations.Log2((uint)capacity)] is { Count: > 0 } shelf)
            {
                Count(-capacity);
                return shelf.Pop();
            }
        }

        return new StreamBatch(this, capacity);
    }

    /// <summary>Its values have been given back.</summary>
    public void Return(StreamBatch batch)
    {
        lock (_lock)
        {
            var changes = batch.Capacity > MaxSmallChanges ? _largeChanges : _smallChanges;
            if (changes + batch.Capacity > MaxIdleChanges)
                return;
            Count(batch.Capacity);
            (_idle[BitOperations.Log2((uint)batch.Capacity)] ??= new()).Push(batch);
        }
    }

    private void Count(int changes)
    {
        if (Math.Abs(changes) > MaxSmallChanges)
            _largeChanges += changes;
        else
            _smallChanges += changes;
    }
}
