using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;
using Gateway.Transport.Timing;

namespace Gateway.Publish.Items;

/// <summary>
/// Reads the nodes whose source does not push (<see cref="IPolledSource"/>) while they are watched: each once for all
/// sessions, at the fastest requested interval, shortly before the sweep of the item that requested it, so that each
/// cycle has its sample. Its samples take the way of every change, through the <see cref="ValueStore"/>. One timer; a
/// turn reads <see cref="PublishLimits.MaxPollsPerTurn"/> nodes, the rest has its turn at once and is counted. A turn
/// asks a source once for all nodes without a current value. Threads: any; its lock is taken inside a shard's and
/// around no source.
/// </summary>
internal sealed class NodeSampler : IDisposable
{
    /// <summary>A sample lies this long before the sweep, or a quarter of its interval.</summary>
    private const long Lead = 50 * TimeSpan.TicksPerMillisecond;

    /// <summary>Of a millisecond.</summary>
    private const int WheelSlots = 4096;

    private readonly NodeTable _nodes;
    private readonly ValueStore _store;
    private readonly MonotonicClock _clock;
    private readonly PublishCounters _counters;
    private readonly int _maxPolls;
    private readonly Lock _lock = new();
    private readonly Dictionary<int, PolledNode> _polled = [];
    private readonly TimingWheel _wheel;
    private readonly List<TimerEntry> _due = [];
    private readonly Queue<PolledNode> _backlog = new();
    private readonly List<PolledNode> _turn = [];

    /// <summary>Of the turn: those whose source has to be asked.</summary>
    private readonly Dictionary<INodeSource, List<PolledNode>> _asked = new(ReferenceEqualityComparer.Instance);
    private readonly ITimer _timer;
    private long _armed = long.MaxValue;
    private bool _turning;
    private bool _disposed;

    public NodeSampler(
        NodeTable nodes, ValueStore store, PublishLimits limits, MonotonicClock clock, PublishCounters counters,
        TimeProvider time)
    {
        (_nodes, _store, _clock, _counters) = (nodes, store, clock, counters);
        _maxPolls = limits.MaxPollsPerTurn;
        _wheel = new TimingWheel(clock.Now, TimeSpan.TicksPerMillisecond, WheelSlots);
        _timer = time.CreateTimer(
            static sampler => ((NodeSampler)sampler!).Turn(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Nodes that are polled now.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
                return _polled.Count;
        }
    }

    public bool IsPolled(NodeHandle node) => _nodes.SourceOf(node) is IPolledSource source && source.IsPolled(node);

    /// <summary>For an item that begins to watch; false where its node needs no polling.</summary>
    public bool TryAdd(MonitoredItem item)
    {
        if (item.Attribute != AttributeId.Value || _nodes.SourceOf(item.Node) is not IPolledSource source ||
            !source.IsPolled(item.Node))
            return false;
        var ticks = item.SamplingTicks;
        lock (_lock)
        {
            var now = _clock.Now;
            var isNew = !_polled.TryGetValue(item.Node.Index, out var node);
            if (isNew)
                _polled.Add(item.Node.Index, node = new PolledNode(item.Node, source));
            var interval = node!.Interval;
            node.AddRate(ticks);
            if (!isNew && node.Interval >= interval)
                return true;
            node.Phase = item.Subscription.Due - Math.Min(Lead, node.Interval / 4);
            node.AlignDue(now);
            if (isNew)
                node.Due = now;
            ScheduleUnderLock(node);
            ArmUnderLock(now);
        }

        return true;
    }

    public void Remove(NodeHandle handle, long samplingTicks)
    {
        lock (_lock)
        {
            if (!_polled.TryGetValue(handle.Index, out var node))
                return;
            node.RemoveRate(samplingTicks);
            if (node.IsWanted)
                return;
            _wheel.Remove(node);
            _polled.Remove(handle.Index);
        }

        // A value that nothing refreshes any more must not be taken for the current value.
        _store.Clear(handle);
    }

    public void Dispose()
    {
        lock (_lock)
            _disposed = true;
        _timer.Dispose();
    }

    /// <summary>One turn of the timer. Nothing leaves it, because that would end the process (R40); the next turn is
    /// armed after any failure.</summary>
    private void Turn()
    {
        lock (_lock)
        {
            if (_turning || _disposed)
                return;
            _turning = true;
        }

#pragma warning disable CA1031 // As said above.
        try
        {
            PollDue();
        }
        catch (Exception error)
        {
            _counters.OnPollTurnFailed(error);
        }
#pragma warning restore CA1031
        lock (_lock)
        {
            _turning = false;
            ArmUnderLock(_clock.Now);
        }
    }

    private void PollDue()
    {
        lock (_lock)
        {
            _armed = long.MaxValue;
            CollectUnderLock(_clock.Now);
        }

        var batch = _store.BeginBatch();
        try
        {
            foreach (var node in _turn)
                Poll(node, batch);
        }
        finally
        {
            batch.Commit();
        }

        AskSources();
    }

    private void CollectUnderLock(long now)
    {
        _turn.Clear();
        _wheel.Advance(now, _due);
        foreach (var entry in _due)
        {
            entry.OnDue(now);
            _wheel.Add(entry);
        }

        EnqueueDueUnderLock();
        while (_turn.Count < _maxPolls && _backlog.TryDequeue(out var node))
        {
            node.IsQueued = false;
            if (node.IsWanted && !node.IsReading)
                _turn.Add(node);
        }

        _counters.OnPolls(_turn.Count, _backlog.Count);
    }

    /// <summary>All of them are on the wheel again: where the backlog cannot grow they have their turn next time.
    /// </summary>
    private void EnqueueDueUnderLock()
    {
        try
        {
            foreach (var entry in _due)
            {
                var node = (PolledNode)entry;
                if (!node.IsQueued)
                    _backlog.Enqueue(node);
                node.IsQueued = true;
            }
        }
        finally
        {
            _due.Clear();
        }
    }

    private void ScheduleUnderLock(PolledNode node)
    {
        _wheel.Remove(node);
        _wheel.Add(node);
    }

    private void ArmUnderLock(long now)
    {
        if (_turning || _disposed || _wheel.Count + _backlog.Count == 0)
            return;
        var due = _backlog.Count > 0 ? now : _wheel.NextDue(now, TimeSpan.TicksPerSecond);
        if (due >= _armed)
            return;
        _armed = due;
        var wait = TimeSpan.FromTicks(Math.Max(TimeSpan.TicksPerMillisecond, due - now));
        _timer.Change(wait, Timeout.InfiniteTimeSpan);
    }

    private void Poll(PolledNode node, ValueBatch batch)
    {
#pragma warning disable CA1031 // An exception of a source, or a fault here, must not stop the other nodes.
        try
        {
            if (!TryPoll(node, batch))
                batch.Set(node.Node, new DataValue(StatusCodes.BadInternalError));
            if (!IsFollowed(node))
                _store.Clear(node.Node);
        }
        catch (Exception error)
        {
            _counters.OnPollTurnFailed(error);
        }
    }

    /// <summary>False: its source failed.</summary>
    private bool TryPoll(PolledNode node, ValueBatch batch)
    {
        try
        {
            if (node.Source.TryRead(node.Node, 0, out var value))
            {
                batch.Set(node.Node, value);
                return true;
            }

            if (!_asked.TryGetValue(node.Source, out var nodes))
                _asked.Add(node.Source, nodes = []);
            nodes.Add(node);
            return true;
        }
        catch (Exception error)
        {
            _counters.OnSourceFailed(error);
            return false;
        }
#pragma warning restore CA1031
    }

    private void AskSources()
    {
        foreach (var (source, nodes) in _asked)
            _ = AskAsync(source, [.. nodes]);
        _asked.Clear();
    }

    /// <summary>One request for all of them; none of them is asked for again before it is answered.</summary>
    private async Task AskAsync(INodeSource source, PolledNode[] nodes)
    {
        var handles = Array.ConvertAll(nodes, static node => node.Node);
        var results = new DataValue[nodes.Length];
        lock (_lock)
        {
            foreach (var node in nodes)
                node.IsReading = true;
        }

#pragma warning disable CA1031 // A source that fails answers for its own nodes alone.
        try
        {
            await source.ReadAsync(handles, 0, results, CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception error)
        {
            Array.Fill(results, new DataValue(StatusCodes.BadInternalError));
            _counters.OnSourceFailed(error);
        }
        finally
        {
            Take(nodes, results);
        }
#pragma warning restore CA1031
    }

    /// <summary>The values of those that are still watched.</summary>
    private void Take(PolledNode[] nodes, DataValue[] results)
    {
        lock (_lock)
        {
            foreach (var node in nodes)
                node.IsReading = false;
        }

#pragma warning disable CA1031 // No code awaits the task that this belongs to.
        try
        {
            Store(nodes, results);
        }
        catch (Exception error)
        {
            _counters.OnPollTurnFailed(error);
        }
#pragma warning restore CA1031
    }

    private void Store(PolledNode[] nodes, DataValue[] results)
    {
        var batch = _store.BeginBatch();
        try
        {
            for (var i = 0; i < nodes.Length; i++)
            {
                if (!IsFollowed(nodes[i]))
                    continue;
                batch.Set(nodes[i].Node, results[i]);
                if (!IsFollowed(nodes[i]))
                    _store.Clear(nodes[i].Node);
            }
        }
        finally
        {
            batch.Commit();
        }
    }

    private bool IsFollowed(PolledNode node)
    {
        lock (_lock)
            return ReferenceEquals(_polled.GetValueOrDefault(node.Node.Index), node);
    }
}
