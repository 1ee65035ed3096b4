using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Events.Changes;
using Gateway.Publish.Items;
using Gateway.Transport.Timing;

namespace Gateway.Publish.Shards;

/// <summary>
/// The way of changes from the inbox to the items that watch. One change at a time is walked along the watchers of its
/// node, in slices of bounded work: one with ten thousand watchers does not hold the lock for all of them. Changes that
/// found no room in the inbox are replaced by the node's current value, once the queue is empty. An item gets the time
/// at which a change arrived: the shard may process it much later, and sampling periods are those of the changes (Part
/// 4 §5.13.1.2). Owner: the shard, under its lock.
/// </summary>
internal sealed class ChangeRouter(
    NodeTable nodes, ValueStore store, ChangeInbox inbox, NodeSampler sampler, SourceRates rates, ItemValues values,
    MonotonicClock clock, EventRouter events, SemanticChangeEvents semantics)
{
    /// <summary>Items touched before the lock is given up for a moment: about 100 µs. Parts that are cut for them count
    /// by their size.</summary>
    private const int SliceItems = 2048;

    private readonly WatchBook _book = new(nodes, store, inbox.Shard);
    private readonly Queue<HandOut> _waiting = new();
    private ChangeBatch? _batch;
    private int _batchPosition;
    private long _batchArrival;
    private NodeWatchers? _watchers;
    private SharedValue? _value;
    private NotificationBits _bits;
    private long _arrival;
    private int _walked;

    /// <summary>Work along a node's watchers besides the changes of a batch.</summary>
    /// <param name="IsMeaning">Not a value, but its meaning.</param>
    private readonly record struct HandOut(NodeHandle Node, NotificationBits Bits, bool IsMeaning);

    public WatchBook Book => _book;

    public void WatchUnderLock(MonitoredItem item)
    {
        // Before its interest, so that the source begins with the right rate.
        item.IsRated = !item.IsOrphan && rates.TryAdd(item);
        _book.Add(item);
        item.IsPolled = !item.IsOrphan && sampler.TryAdd(item);
        if (!item.IsOrphan && item.ExtrasOrNull?.Event is not null)
            events.AddUnderLock(item);
    }

    /// <summary>Does nothing for an item that does not watch.</summary>
    public void UnwatchUnderLock(MonitoredItem item)
    {
        if (item.WatcherIndex < 0)
            return;
        if (item.IsPolled)
            sampler.Remove(item.Node, item.SamplingTicks);
        item.IsPolled = false;
        events.RemoveUnderLock(item);
        var none = 0;
        if (_watchers is not null && ReferenceEquals(_watchers, _book.ValueWatchers(item.Node)))
            _book.Remove(item, ref _walked);
        else
            _book.Remove(item, ref none);
        if (item.IsRated)
            rates.Remove(item.Node, item.SamplingTicks);
        item.IsRated = false;
    }

    /// <summary>Another sampling interval, for the sampler and the source as well.</summary>
    public void SetSamplingUnderLock(MonitoredItem item, double intervalMs)
    {
        var (polled, ticks) = (item.IsPolled, item.SamplingTicks);
        item.SetSampling(intervalMs, item.Subscription.Due - item.Subscription.IntervalTicks, values);
        if (item.SamplingTicks == ticks)
            return;
        if (item.IsRated)
        {
            rates.TryAdd(item);
            rates.Remove(item.Node, ticks);
        }

        if (!polled)
            return;
        sampler.TryAdd(item);
        sampler.Remove(item.Node, ticks);
    }

    /// <summary>One slice; false when nothing is left.</summary>
    public bool StepUnderLock()
    {
        var work = SliceItems;
        while (work > 0)
        {
            if (_watchers is not null)
                work -= _watchers.HasRanges ? WalkOneUnderLock() : WalkUnderLock(work);
            else if (_waiting.TryDequeue(out var next))
                work -= BeginUnderLock(next);
            else if (_batch is not null)
                work -= BeginChangeUnderLock();
            else if (inbox.TryTake(out _batch))
                _batchArrival = clock.At(_batch.Arrival);
            else if (!TryTakeCoalescedUnderLock())
                return false;
        }

        return true;
    }

    /// <summary>Leaves the change that is half-way through; does nothing when there is none.</summary>
    public void SkipUnderLock() => EndUnderLock();

    private bool TryTakeCoalescedUnderLock()
    {
        if (!inbox.TryTakeCoalesced(out var coalesced))
            return false;
        foreach (var node in coalesced)
            _waiting.Enqueue(new HandOut(new NodeHandle(node), NotificationBits.Overflow, IsMeaning: false));
        return true;
    }

    private int BeginChangeUnderLock()
    {
        var changes = _batch!.Changes;
        if (_batchPosition == changes.Length)
        {
            inbox.Recycle(_batch);
            (_batch, _batchPosition) = (null, 0);
            return 0;
        }

        var (node, value) = changes[_batchPosition++];
        StartUnderLock(node, value, NotificationBits.None, _batchArrival);
        return 1;
    }

    private int BeginUnderLock(in HandOut next)
    {
        if (next.IsMeaning)
        {
            if (_book.ValueWatchers(next.Node) is { Relations: { } relations } watchers)
            {
                _book.RefreshRange(next.Node, relations);
                (_watchers, _bits) = (watchers, next.Bits);
            }
        }
        else if (store.Acquire(next.Node) is { } value)
        {
            StartUnderLock(next.Node, value, next.Bits, clock.Now);
        }

        return 1;
    }

    /// <summary>Takes over the reference.</summary>
    private void StartUnderLock(NodeHandle node, SharedValue value, NotificationBits bits, long arrival)
    {
        if (_book.ValueWatchers(node) is not { } watchers)
        {
            value.Release();
            return;
        }

        (_watchers, _value, _bits, _arrival) = (watchers, value, bits, arrival);
        if (WatchBook.NoteProperty(watchers, value, out var told) is not { } owners)
            return;
        foreach (var owner in owners)
        {
            _waiting.Enqueue(new HandOut(owner, told, IsMeaning: true));
            if (told != NotificationBits.None)
                semantics.Note(owner);
        }
    }

    /// <summary>The item and what was cut for it.</summary>
    private int WalkOneUnderLock()
    {
        var before = values.Parts.Work;
        return WalkUnderLock(1) + (int)(values.Parts.Work - before);
    }

    private int WalkUnderLock(int work)
    {
        var (watchers, value) = (_watchers!, _value);
        var bits = value?.IsAfterLoss == true ? _bits | NotificationBits.Overflow : _bits;
        var end = (int)Math.Min(watchers.Count, (long)_walked + work);
        var done = end - _walked;
        while (_walked < end)
        {
            var item = watchers[_walked++];
            if (value is not null)
            {
                item.OnChange(value, bits, _arrival, values);
                continue;
            }

            item.SetRange(watchers.Relations?.RangeSpan ?? 0);
            if (_bits != NotificationBits.None)
                item.OnMeaningChanged(_bits, values);
        }

        if (_walked >= watchers.Count)
            EndUnderLock();
        return done;
    }

    private void EndUnderLock()
    {
        _value?.Release();
        (_watchers, _value, _walked) = (null, null, 0);
    }
}
