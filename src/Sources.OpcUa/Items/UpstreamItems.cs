using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Values;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Health;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Items;

/// <summary>The nodes that downstream clients watch, and the monitored items upstream that follow them. An item's
/// client handle is the node's handle: a change finds its node by that number. State; <see cref="ItemFollower"/> does
/// the requests, <see cref="NotificationIntake"/> brings the changes. Threads: interest from any,
/// changes on the client's connection thread, item calls from the connector's loop. Lock order: shard of the publish
/// engine → this → the store's.</summary>
internal sealed class UpstreamItems(
    INodeSource owner,
    NodeTable nodes,
    ValueStore values,
    UpstreamMetrics metrics,
    UpstreamLimits limits,
    TimeProvider time,
    double samplingIntervalMs)
{
    private readonly Lock _lock = new();
    private readonly HashSet<int> _wanted = [];

    private readonly HeldValues _held = new(owner, nodes, values, limits, metrics);
    private readonly TimestampItems _timestamps = new();
    private readonly HashSet<int> _changed = [];

    /// <summary>Of items whose Create is under way.</summary>
    private readonly HashSet<int> _creating = [];
    private readonly Dictionary<int, ActiveItem> _active = [];
    private readonly SamplingRates _rates = new(samplingIntervalMs);
    private readonly LingeringItems _lingering = new(limits, time);
    private readonly WorkSignal _signal = new(time);
    private UpstreamLink? _link;
    private readonly Interruption _interruption = new(values, time);
    private bool _refresh;

    /// <summary>The limit that the upstream's messages met: the reason why its session ends.</summary>
    public UpstreamBoundException? Bound { get; set; }

    /// <summary>Nodes whose changes are taken.</summary>
    public int HeldCount { get { lock (_lock) return _held.Count; } }

    public int ActiveCount { get { lock (_lock) return _active.Count; } }

    /// <summary>Of the last loss; see <see cref="Interruption.LostAt"/>.</summary>
    public DateTime LostAt { get { lock (_lock) return _interruption.LostAt; } }

    /// <summary>The fastest that may be had: as the upstream revised it, and not below the interval at which it
    /// publishes for us: samples in between come together, and only as many as its queue holds. That interval as long
    /// as no item watches the node, or none so often. Source: Part 4 §5.13.1.2.</summary>
    public double SamplingIntervalMs(NodeHandle node)
    {
        lock (_lock)
            return _active.TryGetValue(node.Index, out var item) && item.AskedMs <= RequestedMs
                ? item.SamplingMs
                : _rates.PublishingMs;
    }

    /// <summary>The store follows the upstream, and its values are at most so old: one sample and one publish, and the
    /// time since a loss that is bridged. The largest maxAge takes any value that the store holds. Source: Part 4
    /// §5.11.2.2.</summary>
    public bool IsYoungerThan(NodeHandle node, double maxAgeMs)
    {
        lock (_lock)
        {
            if (!_active.TryGetValue(node.Index, out var item) || _interruption.IsOver)
                return false;
            var awayMs = _link is null ? _interruption.Lasted.TotalMilliseconds : 0;
            return maxAgeMs >= int.MaxValue || item.SamplingMs + _rates.PublishingMs + awayMs <= maxAgeMs;
        }
    }

    /// <summary>Asked of the upstream for each item, from its next connection on; set while there is none.</summary>
    public double RequestedMs { get => _rates.RequestedMs; set => _rates.RequestedMs = value; }

    /// <summary>A break for which the queues of the items are to last; set while there is no connection.</summary>
    public TimeSpan Bridge { get; set; }

    public void OnInterest(NodeHandle node, bool wanted)
    {
        lock (_lock)
        {
            if (wanted ? !_wanted.Add(node.Index) : !_wanted.Remove(node.Index))
                return;
            _changed.Add(node.Index);
            if (wanted)
            {
                _held.Add(node.Index);
                // While a loss is bridged, a lingering item's value is as good as those of the others.
                if (_link is null && (_interruption.IsOver || !_active.ContainsKey(node.Index)))
                    values.Set(node, _interruption.NoCommunication);
            }
            else if (!_active.ContainsKey(node.Index) && !_creating.Contains(node.Index))
            {
                ForgetUnderLock(node.Index);
            }
        }

        _signal.Set();
    }

    public void OnRate(NodeHandle node, double intervalMs)
    {
        lock (_lock)
        {
            _rates.Set(node.Index, intervalMs);
            if (!_active.ContainsKey(node.Index))
                return;
            _changed.Add(node.Index);
        }

        _signal.Set();
    }

    public void OnTimestampInterest(NodeHandle node, bool wanted)
    {
        lock (_lock)
            _timestamps.Set(node.Index, wanted);
        _signal.Set();
    }

    /// <summary>All that is wanted has to be asked for again.</summary>
    public void OnConnected(UpstreamLink link)
    {
        lock (_lock)
        {
            _link = link;
            _rates.RevisedPublishingMs = link.PublishingIntervalMs;
            _active.Clear();
            _creating.Clear();
            _changed.UnionWith(_wanted);
        }

        _signal.Set();
    }

    /// <summary>The connection was lost, and perhaps no value with it: they keep their status until
    /// <see cref="OnBridgeOver"/>, and the items are as they were until <see cref="OnResumed"/> or
    /// <see cref="OnDisconnected"/>.</summary>
    /// <param name="isBefore">It was lost before, and the resumption has failed.</param>
    public void OnInterrupted(bool isBefore = false)
    {
        lock (_lock)
        {
            if (_link is not null && !isBefore)
                _interruption.Begin();
            _link = null;
        }
    }

    /// <summary>Every watched node carries Bad_NoCommunication from now on. Nothing where the upstream is back.
    /// </summary>
    public void OnBridgeOver()
    {
        lock (_lock)
        {
            if (_link is not null || _interruption.IsOver)
                return;
            _interruption.EndBridge(_held.Nodes.Where(_active.ContainsKey));
            TellAwayUnderLock();
        }
    }

    /// <summary>The subscription goes on, with its items; its messages may come from now on.</summary>
    public void OnResumed(UpstreamLink link)
    {
        var batch = values.BeginBatch();
        lock (_lock)
        {
            _link = link;
            _interruption.Restore(batch);
            _creating.Clear();
            _changed.UnionWith(_wanted);
            _changed.UnionWith(_active.Keys);
        }

        batch.Commit();
        _signal.Set();
    }

    /// <summary>Its messages are taken.</summary>
    public bool IsFollowing(UpstreamLink link)
    {
        lock (_lock)
            return ReferenceEquals(link, _link);
    }

    /// <summary>The items of before are gone. Every watched node carries Bad_NoCommunication from now on.</summary>
    public void OnDisconnected()
    {
        OnInterrupted();
        lock (_lock)
        {
            _active.Clear();
            _creating.Clear();
            _lingering.Clear();
            _interruption.Clear();
            _refresh = false;
            foreach (var index in _held.Nodes)
            {
                if (!_wanted.Contains(index))
                    ForgetUnderLock(index);
            }

            _held.Reset(_wanted);
            TellAwayUnderLock();
        }
    }

    private void TellAwayUnderLock()
    {
        foreach (var index in _wanted)
            values.Set(new NodeHandle(index), _interruption.NoCommunication);
    }

    /// <summary>Until there is something to do for the loop that follows the wishes.</summary>
    public ValueTask WaitAsync(CancellationToken cancellation)
    {
        bool lingers;
        lock (_lock)
            lingers = _lingering.Count > 0;
        return _signal.WaitAsync(lingers ? _lingering.Look : Timeout.InfiniteTimeSpan, cancellation);
    }

    /// <summary>So many of the changes.</summary>
    /// <returns>Whether one is a watched node's.</returns>
    public bool Ingest(ref DataChangeReader changes, int count, ValueBatch batch)
    {
        var isNew = false;
        lock (_lock)
        {
            for (var i = 0; i < count && _link is { } link && changes.TryRead(out var handle, out var value); i++)
                isNew |= _held.Ingest(link.Namespaces, handle, value, batch);
        }

        return isNew;
    }

    /// <summary>Values were lost: the loop reads all.</summary>
    public void OnLost()
    {
        lock (_lock)
            _refresh = true;
        _signal.Set();
    }

    /// <summary>The session ends at once: the loop that follows the wishes may be waiting for an answer. Where it is
    /// not there yet the loop ends it, by what it throws.</summary>
    public void EndSession()
    {
        _signal.Set();
        Volatile.Read(ref _link)?.Session.Abort();
    }

    /// <summary>No item wants the node and none follows it.</summary>
    private void ForgetUnderLock(int index)
    {
        _held.Remove(index);
        _rates.Remove(index);
        _lingering.Remove(index);
        _interruption.Forget(index);
        values.Clear(new NodeHandle(index));
    }

    /// <summary>The work for the loop. Errors: <see cref="UpstreamBoundException"/>.</summary>
    public ItemChanges TakeChanges(UpstreamLink link)
    {
        List<int> create = [];
        List<int> delete = [];
        List<int> retime = [];
        lock (_lock)
        {
            if (Bound is { } bound)
                throw bound;
            if (!ReferenceEquals(link, _link))
                return new ItemChanges(create, delete, retime, false);
            foreach (var index in _changed)
            {
                var wanted = _wanted.Contains(index);
                if (wanted && !_active.ContainsKey(index))
                    create.Add(index);
                else if (_active.TryGetValue(index, out var item))
                    _lingering.Sort(index, wanted, item.AskedMs, _rates.AskedMs(index), delete, retime);
            }

            _changed.Clear();
            _creating.UnionWith(create);
            foreach (var index in _lingering.TakeDue())
            {
                if (_active.ContainsKey(index))
                    (_wanted.Contains(index) ? retime : delete).Add(index);
            }

            (var refresh, _refresh) = (_refresh, false);
            return new ItemChanges(create, delete, retime, refresh);
        }
    }

    /// <summary>The interval that is asked of the upstream for a node.</summary>
    public double AskedMs(int index)
    {
        lock (_lock)
            return _rates.AskedMs(index);
    }

    public void OnCreated(
        UpstreamLink link, int[] handles, MonitoredItemCreateRequest[] asked, MonitoredItemCreateResult[] results)
    {
        lock (_lock)
        {
            if (!ReferenceEquals(link, _link))
                return;
            for (var i = 0; i < handles.Length; i++)
            {
                _creating.Remove(handles[i]);
                _timestamps.OnCreated(handles[i]);
                if (!results[i].StatusCode.IsBad)
                    _active[handles[i]] = new ActiveItem(
                        results[i].MonitoredItemId, _rates.Granted(results[i].RevisedSamplingInterval),
                        (float)asked[i].RequestedParameters.SamplingInterval);
                else if (_wanted.Contains(handles[i]))
                    values.Set(new NodeHandle(handles[i]), new DataValue(default, results[i].StatusCode, Now()));
                else
                    ForgetUnderLock(handles[i]);
            }
        }
    }

    /// <summary>The items to be deleted, of nodes that no item wants.</summary>
    public uint[] TakeActive(int[] handles)
    {
        lock (_lock)
        {
            List<uint> ids = [];
            foreach (var handle in handles)
            {
                // Wanted again meanwhile: it stays, and the store has followed it all the time.
                if (_wanted.Contains(handle) || !_active.Remove(handle, out var item))
                    continue;
                ids.Add(item.Id);
                ForgetUnderLock(handle);
            }

            return [.. ids];
        }
    }

    /// <summary>Items whose filter or rate is to be changed.</summary>
    /// <param name="retimed">See <see cref="ItemChanges.Retime"/>.</param>
    public (int Node, uint Id, bool Timestamps)[] TakeModified(List<int> retimed)
    {
        lock (_lock)
        {
            var filtered = _timestamps.Take(_active.ContainsKey).Select(static change => change.Node);
            return [.. from node in retimed.Union(filtered)
                       where _active.ContainsKey(node)
                       select (node, _active[node].Id, _timestamps.IsReported(node))];
        }
    }

    public void OnModified(
        UpstreamLink link, MonitoredItemModifyRequest[] asked, MonitoredItemModifyResult[] results)
    {
        lock (_lock)
        {
            for (var i = 0; i < asked.Length && ReferenceEquals(link, _link); i++)
            {
                var index = (int)asked[i].RequestedParameters.ClientHandle;
                if (_active.TryGetValue(index, out var item) && item.Id == asked[i].MonitoredItemId)
                    _active[index] = item.Modified(
                        asked[i], results[i], _rates.Granted(results[i].RevisedSamplingInterval));
            }
        }
    }

    public int[] ActiveHandles()
    {
        lock (_lock)
            return [.. _active.Keys];
    }

    /// <summary>Values that were read, with their encoded sizes.</summary>
    public void TakeRefreshed(UpstreamLink link, int[] handles, DataValue[] read, int[] sizes)
    {
        lock (_lock)
        {
            if (ReferenceEquals(link, _link))
                _held.Refresh(handles, read, sizes);
        }
    }

    private DateTime Now() => time.GetUtcNow().UtcDateTime;
}
