namespace Gateway.Publish.Streams;

/// <summary>Idle batches of a shard's streams. What is in use is bounded by the streams; what is idle here, and larger
/// arrays go to the collector. Threads: any; its lock is a leaf.</summary>
internal sealed class StreamBatchPool
{
    private const int MaxIdle = 1024;

    /// <summary>24 KiB.</summary>
    private const int MaxKeptChanges = 1024;

    private readonly Lock _lock = new();
    private readonly Stack<StreamBatch> _idle = new();

    public StreamBatch Rent()
    {
        lock (_lock)
        {
            if (_idle.TryPop(out var batch))
                return batch;
        }

        return new StreamBatch();
    }

    /// <summary>Its values have been given back.</summary>
    public void Return(StreamBatch batch)
    {
        lock (_lock)
        {
            if (_idle.Count < MaxIdle && batch.Capacity <= MaxKeptChanges)
                _idle.Push(batch);
        }
    }
}
