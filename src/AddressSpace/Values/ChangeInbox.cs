using System.Threading.Channels;

namespace Gateway.AddressSpace.Values;

/// <summary>
/// The way of changes to one shard: a bounded queue of batches. No producer ever waits. When the shard lags and the
/// queue is full, a change is not queued but its node noted (once, however often it changes); the shard takes the
/// node's current value instead when it has caught up and flags the loss as an overflow. Until then every later change
/// of any node is noted as well, so that no node's values change their order.
/// Owner: the shard reads, alone; any thread writes. Lock order: nothing is taken under this lock.
/// </summary>
public sealed class ChangeInbox
{
    /// <summary>A shard is woken from this many changes on; below it they wait for its next due time.</summary>
    private const int WakeAt = 1024;

    private readonly Channel<ChangeBatch> _queue;
    private readonly int _maxChanges;
    private readonly Action _wake;
    private readonly Lock _lock = new();
    private readonly Stack<ChangeBatch> _idle = new();
    private readonly int _maxIdle;
    private HashSet<int> _coalesced = [];
    private HashSet<int> _taken = [];
    private volatile bool _lagging;
    private int _pending;
    private long _coalescedChanges;

    internal ChangeInbox(int shard, int maxChanges, Action wake)
    {
        Shard = shard;
        _maxChanges = maxChanges;
        _maxIdle = Math.Max(64, maxChanges / 8);
        _wake = wake;
        _queue = Channel.CreateBounded<ChangeBatch>(new BoundedChannelOptions(maxChanges)
        {
            SingleReader = true,
            FullMode = BoundedChannelFullMode.Wait,
        });
    }

    /// <summary>The number that <see cref="ValueStore.Attach"/> gives this consumer: 0 … 63.</summary>
    public int Shard { get; }

    /// <summary>Changes that are queued now.</summary>
    public int Pending => Volatile.Read(ref _pending);

    /// <summary>Changes that were replaced by a later value of their node because this shard lagged.</summary>
    public long CoalescedChanges => Interlocked.Read(ref _coalescedChanges);

    /// <summary>The oldest batch; false when there is none. The caller gives it back by
    /// <see cref="Recycle"/>.</summary>
    public bool TryTake([System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out ChangeBatch? batch)
    {
        if (!_queue.Reader.TryRead(out batch))
            return false;
        Interlocked.Add(ref _pending, -batch.Count);
        return true;
    }

    /// <summary>The nodes whose changes did not fit, once the queue is empty; from now on changes are queued again. The
    /// set is valid until the next call.</summary>
    public bool TryTakeCoalesced(out IReadOnlySet<int> nodes)
    {
        nodes = _taken;
        if (!_lagging)
            return false;
        lock (_lock)
        {
            _taken.Clear();
            (_taken, _coalesced) = (_coalesced, _taken);
            _lagging = false;
        }

        nodes = _taken;
        return nodes.Count > 0;
    }

    public void Recycle(ChangeBatch batch)
    {
        batch.Reset();
        lock (_lock)
        {
            if (_idle.Count < _maxIdle)
                _idle.Push(batch);
        }
    }

    internal ChangeBatch Rent()
    {
        lock (_lock)
        {
            if (_idle.TryPop(out var batch))
                return batch;
        }

        return new ChangeBatch();
    }

    /// <summary>Hands a batch and its references over; returns at once whatever the state of the shard.</summary>
    /// <param name="arrival">As <see cref="ChangeBatch.Arrival"/>.</param>
    internal void Post(ChangeBatch batch, long arrival)
    {
        batch.Arrival = arrival;
        var count = batch.Count;
        var pending = Interlocked.Add(ref _pending, count);
        if (_lagging || pending > _maxChanges || !_queue.Writer.TryWrite(batch))
        {
            Interlocked.Add(ref _pending, -count);
            Coalesce(batch);
        }

        if (pending >= WakeAt && pending - count < WakeAt)
            _wake();
    }

    private void Coalesce(ChangeBatch batch)
    {
        Interlocked.Add(ref _coalescedChanges, batch.Count);
        lock (_lock)
        {
            foreach (var change in batch.Changes)
                _coalesced.Add(change.Node.Index);
            _lagging = true;
        }

        foreach (var change in batch.Changes)
            change.Value.Release();
        Recycle(batch);
    }
}
