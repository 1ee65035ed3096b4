namespace Gateway.Publish.Streams;

/// <summary>Idle batches of a shard's streams, small ones and large ones apart, so that each hand-over finds an array
/// of its size. The streams bound the batches in use; of the idle ones 0.75 MiB of each size stay, the rest goes to the
/// collector. Threads: any; its lock is a leaf.</summary>
internal sealed class StreamBatchPool
{
    /// <summary>In changes of 24 bytes, of each size: twice the largest batch.</summary>
    internal const int MaxIdleChanges = 32 * 1024;

    /// <summary>24 KiB: below the threshold of the large object heap.</summary>
    private const int MaxSmallChanges = 1024;

    private readonly Lock _lock = new();
    private readonly Shelf _small = new();
    private readonly Shelf _large = new();

    /// <summary>That the idle ones have room for.</summary>
    internal int IdleChanges
    {
        get
        {
            lock (_lock)
                return _small.Changes + _large.Changes;
        }
    }

    /// <param name="changes">About as many as it will hold; it grows with more.</param>
    public StreamBatch Rent(int changes)
    {
        lock (_lock)
            return (changes > MaxSmallChanges ? _large : _small).TryTake() ?? new StreamBatch();
    }

    /// <summary>Its values have been given back.</summary>
    public void Return(StreamBatch batch)
    {
        lock (_lock)
            (batch.Capacity > MaxSmallChanges ? _large : _small).Put(batch);
    }

    private sealed class Shelf
    {
        private readonly Stack<StreamBatch> _idle = new();

        public int Changes { get; private set; }

        public StreamBatch? TryTake()
        {
            if (_idle.TryPop(out var batch))
                Changes -= batch.Capacity;
            return batch;
        }

        public void Put(StreamBatch batch)
        {
            if (Changes + batch.Capacity > MaxIdleChanges)
                return;
            _idle.Push(batch);
            Changes += batch.Capacity;
        }
    }
}
