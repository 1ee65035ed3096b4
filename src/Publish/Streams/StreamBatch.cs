using Gateway.Publish.Items;

namespace Gateway.Publish.Streams;

/// <summary>The changes that a <see cref="ValueStream"/> hands over in one go: item by item, those of an item in the
/// order in which they came. Owner: the consumer that has read it, until it disposes it, once; then the values are
/// given back and the object serves another stream. One thread at a time.</summary>
public sealed class StreamBatch : IDisposable
{
    private readonly StreamBatchPool _pool;
    private StreamChange[] _changes;
    private ValueStream? _stream;

    internal StreamBatch(StreamBatchPool pool, int capacity)
    {
        _pool = pool;
        _changes = new StreamChange[capacity];
    }

    /// <summary>Valid until the batch is disposed.</summary>
    public ReadOnlySpan<StreamChange> Changes => _changes.AsSpan(0, Count);

    public int Count { get; private set; }

    /// <summary>Values that the items' queues have given up for newer ones since the batch before.</summary>
    public long Skipped { get; internal set; }

    /// <summary>Of its array; it bounds the batches that the pool keeps.</summary>
    internal int Capacity => _changes.Length;

    public void Dispose() => Interlocked.Exchange(ref _stream, null)?.GiveBack(this);

    internal void Lend(ValueStream stream) => _stream = stream;

    /// <summary>Takes over the entry's reference.</summary>
    internal void Add(MonitoredItem item, in QueuedValue entry)
    {
        if (Count == _changes.Length)
            Grow();
        _changes[Count++] = new StreamChange(item.ClientHandle, entry.Value, entry.Bits, item.Kind);
    }

    /// <summary>Gives the values back.</summary>
    internal void Clear()
    {
        foreach (ref readonly var change in Changes)
            change.Value.Release();
        _changes.AsSpan(0, Count).Clear();
        (Count, Skipped) = (0, 0);
    }

    /// <summary>Into the array of an idle one, which keeps the smaller.</summary>
    private void Grow()
    {
        var other = _pool.Rent(2 * Count);
        Changes.CopyTo(other._changes);
        _changes.AsSpan().Clear();
        (_changes, other._changes) = (other._changes, _changes);
        _pool.Return(other);
    }
}
