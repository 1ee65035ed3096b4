using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Publish.Items;

namespace Gateway.Publish.Shards;

/// <summary>
/// Which items of a shard watch which node, and the way of changes from the inbox to them. A slice does a bounded
/// amount of work and the rest is kept for the next, so that a change with ten thousand watchers does not hold the lock
/// for all of them. Owner: the shard, under its lock.
/// </summary>
internal sealed class ChangeRouter(ValueStore store, ChangeInbox inbox)
{
    /// <summary>Items touched before the lock is given up for a moment: about 100 µs.</summary>
    private const int SliceItems = 2048;

    private readonly Dictionary<int, NodeWatchers> _nodes = [];
    private readonly Queue<int> _coalesced = new();
    private ChangeBatch? _batch;
    private int _batchPosition;
    private int _watcherPosition;
    private long _now;

    public int Nodes => _nodes.Count;

    public void WatchUnderLock(MonitoredItem item)
    {
        if (!_nodes.TryGetValue(item.Node.Index, out var watchers))
        {
            _nodes.Add(item.Node.Index, watchers = new NodeWatchers());
            store.Attach(item.Node, inbox.Shard);
        }

        watchers.Add(item);
    }

    /// <summary>Does nothing for an item that does not watch.</summary>
    public void UnwatchUnderLock(MonitoredItem item)
    {
        if (item.WatcherIndex < 0)
            return;
        var watchers = _nodes[item.Node.Index];
        FinishChangeUnderLock(item.Node, watchers);
        watchers.Remove(item);
        if (watchers.Count > 0)
            return;
        _nodes.Remove(item.Node.Index);
        store.Detach(item.Node, inbox.Shard);
    }

    /// <summary>One slice; false when nothing is left.</summary>
    public bool StepUnderLock(long now)
    {
        _now = now;
        var work = SliceItems;
        while (work > 0)
        {
            if (_batch is not null)
                work -= StepBatchUnderLock(work, now);
            else if (_coalesced.TryDequeue(out var node))
                work -= CatchUpUnderLock(new NodeHandle(node), now);
            else if (!inbox.TryTake(out _batch) && !TryTakeCoalescedUnderLock())
                return false;
        }

        return true;
    }

    /// <summary>Leaves the change that is half-way through; does nothing when there is none.</summary>
    public void SkipUnderLock()
    {
        if (_batch is null)
            return;
        _batch.Changes[_batchPosition++].Value.Release();
        _watcherPosition = 0;
        RecycleFinishedUnderLock();
    }

    /// <summary>A watcher that leaves moves the last one to its place, which a change that is half-way through would
    /// pass over: it goes to all of them first.</summary>
    private void FinishChangeUnderLock(NodeHandle node, NodeWatchers watchers)
    {
        if (_watcherPosition == 0 || _batch!.Changes[_batchPosition].Node != node)
            return;
        var value = _batch.Changes[_batchPosition].Value;
        for (; _watcherPosition < watchers.Count; _watcherPosition++)
            watchers[_watcherPosition].OnChange(value, lossBefore: false, _now);
    }

    private bool TryTakeCoalescedUnderLock()
    {
        if (!inbox.TryTakeCoalesced(out var nodes))
            return false;
        foreach (var node in nodes)
            _coalesced.Enqueue(node);
        return true;
    }

    private int StepBatchUnderLock(int work, long now)
    {
        var changes = _batch!.Changes;
        var done = 0;
        while (_batchPosition < changes.Length && done < work)
        {
            var (node, value) = changes[_batchPosition];
            done++;
            if (_nodes.TryGetValue(node.Index, out var watchers))
            {
                var end = (int)Math.Min(watchers.Count, (long)_watcherPosition + work - done + 1);
                for (; _watcherPosition < end; _watcherPosition++, done++)
                    watchers[_watcherPosition].OnChange(value, lossBefore: false, now);
                if (_watcherPosition < watchers.Count)
                    break;
            }

            _watcherPosition = 0;
            _batchPosition++;
            value.Release();
        }

        RecycleFinishedUnderLock();
        return done;
    }

    private void RecycleFinishedUnderLock()
    {
        if (_batchPosition < _batch!.Changes.Length)
            return;
        inbox.Recycle(_batch);
        _batch = null;
        _batchPosition = 0;
    }

    /// <summary>The current value in place of those that the inbox had no room for.</summary>
    private int CatchUpUnderLock(NodeHandle node, long now)
    {
        if (!_nodes.TryGetValue(node.Index, out var watchers))
            return 1;
        var value = store.Acquire(node);
        if (value is null)
            return 1;
        for (var i = 0; i < watchers.Count; i++)
            watchers[i].OnChange(value, lossBefore: true, now);
        value.Release();
        return watchers.Count;
    }
}
