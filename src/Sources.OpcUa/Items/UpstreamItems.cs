using System.Runtime.CompilerServices;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Values;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Health;
using Gateway.Sources.OpcUa.Namespaces;
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

    private readonly HeldValues _held = new(limits, metrics);
    private readonly TimestampItems _timestamps = new();
    private readonly HashSet<int> _changed = [];

    /// <summary>Of items whose Create is under way.</summary>
    private readonly HashSet<int> _creating = [];
    private readonly Dictionary<int, ActiveItem> _active = [];

    /// <summary>Of nodes that nobody wants as often as we may ask.</summary>
    private readonly Dictionary<int, float> _rates = [];
    private readonly LingeringItems _lingering = new(limits, time);
    private readonly WorkSignal _signal = new(time);
    private UpstreamLink? _link;

    /// <summary>Of the last connection; 0 as long as there was none.</summary>
    private double _revisedPublishingMs;
    private DateTime _lostAt = time.GetUtcNow().UtcDateTime;
    private bool _refresh;

    /// <summary>The limit that the upstream's messages met: the reason why its session ends.</summary>
    public UpstreamBoundException? Bound { get; set; }

    /// <summary>Nodes whose changes are taken.</summary>
    public int HeldCount
    {
        get { lock (_lock) return _held.Count; }
    }

    public int ActiveCount
    {
        get { lock (_lock) return _active.Count; }
    }

    /// <summary>When the upstream was last seen to be away, or the start. The SourceTimestamp of Bad_NoCommunication:
    /// the status is as old as the loss, not as the last good value. Source: Part 4 §7.11.3.</summary>
    public DateTime LostAt
    {
        get { lock (_lock) return _lostAt; }
    }

    /// <summary>The fastest that may be had: as the upstream revised it, and not below the interval at which it
    /// publishes for us: samples in between come together, and only as many as its queue holds. That interval as long
    /// as no item watches the node, or none so often. Source: Part 4 §5.13.1.2.</summary>
    public double SamplingIntervalMs(NodeHandle node)
    {
        lock (_lock)
            return _active.TryGetValue(node.Index, out var item) && item.AskedMs <= RequestedMs
                ? item.SamplingMs
                : PublishingMsUnderLock;
    }

    /// <summary>The store follows the upstream, and its values are at most so old: one sample and one publish. The
    /// largest maxAge takes any value that the store holds. Source: Part 4 §5.11.2.2.</summary>
    public bool IsYoungerThan(NodeHandle node, double maxAgeMs)
    {
        lock (_lock)
            return _active.TryGetValue(node.Index, out var item) &&
                (maxAgeMs >= int.MaxValue || item.SamplingMs + PublishingMsUnderLock <= maxAgeMs);
    }

    private double PublishingMsUnderLock => Math.Max(_revisedPublishingMs, RequestedMs);

    /// <summary>Asked of the upstream for each item, from its next connection on; set while there is none.</summary>
    public double RequestedMs { get; set; } = samplingIntervalMs;

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
                if (_link is null)
                    values.Set(node, new DataValue(default, StatusCodes.BadNoCommunication, _lostAt));
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
            if (intervalMs > RequestedMs)
                _rates[node.Index] = (float)intervalMs;
            else
                _rates.Remove(node.Index);
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
            _revisedPublishingMs = link.PublishingIntervalMs;
            _active.Clear();
            _creating.Clear();
            _changed.UnionWith(_wanted);
        }

        _signal.Set();
    }

    /// <summary>Every watched node carries Bad_NoCommunication from now on.</summary>
    public void OnDisconnected()
    {
        lock (_lock)
        {
            _link = null;
            _active.Clear();
            _creating.Clear();
            _lingering.Clear();
            _refresh = false;
            _lostAt = Now();
            foreach (var index in _held.Nodes)
            {
                if (!_wanted.Contains(index))
                    ForgetUnderLock(index);
            }

            _held.Reset(_wanted);
            foreach (var index in _wanted)
                values.Set(
                    new NodeHandle(index), new DataValue(default, StatusCodes.BadNoCommunication, _lostAt));
        }
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
                isNew |= IngestUnderLock(link.Namespaces, handle, value, batch);
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

    /// <summary>False: no caller waits for it.</summary>
    internal bool IngestUnderLock(NamespaceMap map, uint clientHandle, in RawDataValue value, ValueBatch batch)
    {
        // The handle comes from the peer: it must not reach another source's node.
        var node = new NodeHandle((int)clientHandle);
        ref var held = ref _held.Find(node.Index);
        if (Unsafe.IsNullRef(ref held) || !ReferenceEquals(nodes.SourceOf(node), owner))
            return false;
        if (!_held.TryHold(ref held, value.EncodedVariant.Length))
        {
            batch.Set(node, new DataValue(default, StatusCodes.BadOutOfMemory, value.SourceTimestamp));
            return true;
        }

        var status = value.Status;
        if (map.IsIdentity || !ValueMapper.HasIndexes(value.Type))
        {
            batch.SetEncoded(
                node, value.EncodedVariant, status, value.SourceTimestamp, default, value.SourcePicoseconds);
            return true;
        }

        batch.Set(node, map.ToLocal(new DataValue(
            value.ToVariant(), status, value.SourceTimestamp, default, value.SourcePicoseconds)));
        return true;
    }

    /// <summary>No item wants the node and none follows it.</summary>
    private void ForgetUnderLock(int index)
    {
        _held.Remove(index);
        _rates.Remove(index);
        _lingering.Remove(index);
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
                    _lingering.Sort(index, wanted, item.AskedMs, AskedMsUnderLock(index), delete, retime);
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

    private float AskedMsUnderLock(int index) => _rates.GetValueOrDefault(index, (float)RequestedMs);

    /// <summary>The interval that is asked of the upstream for a node.</summary>
    public double AskedMs(int index)
    {
        lock (_lock)
            return AskedMsUnderLock(index);
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
                        results[i].MonitoredItemId, RevisedUnderLock(results[i].RevisedSamplingInterval),
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
                        asked[i], results[i], RevisedUnderLock(results[i].RevisedSamplingInterval));
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
            for (var i = 0; i < handles.Length && ReferenceEquals(link, _link); i++)
            {
                ref var held = ref _held.Find(handles[i]);
                if (Unsafe.IsNullRef(ref held))
                    continue;
                // Changes in between were lost: subscribers are told, as of a queue that was full.
                var value = _held.TryHold(ref held, sizes[i])
                    ? read[i] with { Status = read[i].Status.WithOverflow() }
                    : new DataValue(default, StatusCodes.BadOutOfMemory, read[i].SourceTimestamp);
                values.Set(new NodeHandle(handles[i]), value);
            }
        }
    }

    /// <summary>NaN says nothing.</summary>
    private float RevisedUnderLock(double intervalMs) =>
        (float)(intervalMs > PublishingMsUnderLock ? intervalMs : PublishingMsUnderLock);

    private DateTime Now() => time.GetUtcNow().UtcDateTime;
}
