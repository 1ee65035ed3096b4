using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading.Channels;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Values;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Health;
using Gateway.Sources.OpcUa.Namespaces;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Items;

/// <summary>What downstream wants to watch, and the monitored items upstream that follow it. An item's client handle
/// is the node's handle: a change finds its node by that number. Threads: interest from any, changes on the client's
/// connection thread, item calls from the connector's loop. Lock order: shard of the publish engine → this → the
/// store's.</summary>
internal sealed class UpstreamItems(
    INodeSource owner,
    NodeTable nodes,
    ValueStore values,
    UpstreamMetrics metrics,
    UpstreamLimits limits,
    TimeProvider time,
    double samplingIntervalMs)
    : ISubscriptionHandler
{
    /// <summary>Sampling and publishing run apart: now and then two samples meet one publish.</summary>
    private const uint QueueSize = 4;

    /// <summary>Changes taken before others get the lock.</summary>
    private const int Slice = 1_000;

    private readonly Lock _lock = new();
    private readonly HashSet<int> _wanted = [];

    /// <summary>Nodes whose changes go to the store, with the encoded size of the value there: the wanted ones, and
    /// those let go of as long as their item is there. They may be wanted again, and the upstream would not tell their
    /// values a second time.</summary>
    private readonly Dictionary<int, int> _held = [];
    private readonly HashSet<int> _changed = [];

    /// <summary>Of items whose Create is under way.</summary>
    private readonly HashSet<int> _creating = [];
    private readonly Dictionary<int, (uint Id, float SamplingMs)> _active = [];
    private readonly Channel<bool> _signal = Channel.CreateBounded<bool>(
        new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite });
    private UpstreamLink? _link;

    /// <summary>Of the last connection; 0 as long as there was none.</summary>
    private double _revisedPublishingMs;
    private DateTime _lostAt = time.GetUtcNow().UtcDateTime;
    private UpstreamBoundException? _bound;
    private readonly EmptyPublishAllowance _emptyPublishes = new(limits, time, samplingIntervalMs);
    private long _heldBytes;
    private bool _refresh;

    public int ActiveCount
    {
        get
        {
            lock (_lock)
                return _active.Count;
        }
    }

    /// <summary>When the upstream was last seen to be away; the start, where it was never there. The SourceTimestamp of
    /// Bad_NoCommunication: the status is as old as the loss, not as the last good value. Source: Part 4 §7.11.3.
    /// </summary>
    public DateTime LostAt
    {
        get
        {
            lock (_lock)
                return _lostAt;
        }
    }

    /// <summary>As the upstream revised it, and not below the interval at which it publishes for us: what it takes in
    /// between comes together, and only as much of it as its queue holds. That interval as long as nobody watches the
    /// node. Source: Part 4 §5.13.1.2.</summary>
    public double SamplingIntervalMs(NodeHandle node)
    {
        lock (_lock)
            return _active.TryGetValue(node.Index, out var item) ? item.SamplingMs : PublishingMsUnderLock;
    }

    /// <summary>The store follows the upstream, and what it holds was true at most so long ago: one sample and one
    /// publish. The largest maxAge takes whatever is there. Source: Part 4 §5.11.2.2.</summary>
    public bool IsYoungerThan(NodeHandle node, double maxAgeMs)
    {
        lock (_lock)
            return _active.TryGetValue(node.Index, out var item) &&
                (maxAgeMs >= int.MaxValue || item.SamplingMs + PublishingMsUnderLock <= maxAgeMs);
    }

    private double PublishingMsUnderLock => Math.Max(_revisedPublishingMs, samplingIntervalMs);

    public void OnInterest(NodeHandle node, bool wanted)
    {
        lock (_lock)
        {
            if (wanted ? !_wanted.Add(node.Index) : !_wanted.Remove(node.Index))
                return;
            _changed.Add(node.Index);
            if (wanted)
            {
                _held.TryAdd(node.Index, 0);
                if (_link is null)
                    values.Set(node, new DataValue(default, StatusCodes.BadNoCommunication, _lostAt));
            }
            else if (!_active.ContainsKey(node.Index) && !_creating.Contains(node.Index))
            {
                ForgetUnderLock(node.Index);
            }
        }

        _signal.Writer.TryWrite(true);
    }

    /// <summary>Before its subscription is made: what the upstream sends from then on may meet a bound.</summary>
    public void OnConnecting()
    {
        lock (_lock)
            _bound = null;
        _emptyPublishes.Reset();
    }

    /// <summary>What the upstream sent met it: why its session ends.</summary>
    public UpstreamBoundException? Bound
    {
        get
        {
            lock (_lock)
                return _bound;
        }
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

        _signal.Writer.TryWrite(true);
    }

    /// <summary>Every watched node carries Bad_NoCommunication from now on.</summary>
    public void OnDisconnected()
    {
        lock (_lock)
        {
            _link = null;
            _active.Clear();
            _creating.Clear();
            _refresh = false;
            _lostAt = Now();
            foreach (var index in _held.Keys)
            {
                if (!_wanted.Contains(index))
                    ForgetUnderLock(index);
            }

            foreach (var index in _wanted)
            {
                _held[index] = 0;
                values.Set(
                    new NodeHandle(index), new DataValue(default, StatusCodes.BadNoCommunication, _lostAt));
            }

            _heldBytes = 0;
        }
    }

    /// <summary>Follows the wishes until it is cancelled or a request fails.</summary>
    public async Task FollowAsync(UpstreamLink link, uint subscriptionId, CancellationToken cancellation)
    {
        while (await _signal.Reader.WaitToReadAsync(cancellation).ConfigureAwait(false))
        {
            _signal.Reader.TryRead(out _);
            var (create, delete, refresh) = TakeChanges(link);
            await CreateAsync(link, subscriptionId, create, cancellation).ConfigureAwait(false);
            await DeleteAsync(link, subscriptionId, delete, cancellation).ConfigureAwait(false);
            if (refresh)
                await RefreshAsync(link, cancellation).ConfigureAwait(false);
        }
    }

    public void OnDataChange(ClientSubscription subscription, ref DataChangeReader changes)
    {
        if (changes.Count > limits.MaxUpstreamNotifications)
        {
            End(UpstreamBound.MaxUpstreamNotifications, "it notifies more at once than it was asked for");
            return;
        }

        var batch = values.BeginBatch();
        var isNew = false;
        for (var left = changes.Count; left > 0; left -= Slice)
        {
            lock (_lock)
                isNew |= IngestUnderLock(ref changes, Math.Min(left, Slice), batch);
        }

        batch.Commit();
        metrics.Notified(changes.Count);
        // Of none at all the subscription tells.
        if (!isNew && changes.Count > 0)
            OnNothingNew(subscription);
    }

    /// <summary>The server ended the subscription: a new session brings a new one.</summary>
    public void OnStatusChange(ClientSubscription subscription, StatusCode status)
    {
        UpstreamLink? link;
        lock (_lock)
            link = _link;
        link?.Session.Abort();
    }

    /// <summary>Values were lost for good: what is true now is read.</summary>
    public void OnLost(ClientSubscription subscription, uint firstSequenceNumber, uint count)
    {
        metrics.Lost(count);
        lock (_lock)
            _refresh = true;
        _signal.Writer.TryWrite(true);
        OnNothingNew(subscription);
    }

    public void OnNothingNew(ClientSubscription subscription)
    {
        if (!_emptyPublishes.TryTake())
            End(UpstreamBound.MaxUpstreamEmptyPublishes, "it answers Publish again and again without anything new");
    }

    private bool IngestUnderLock(ref DataChangeReader changes, int count, ValueBatch batch)
    {
        var isNew = false;
        for (var i = 0; i < count && _link is { } link && changes.TryRead(out var handle, out var value); i++)
            isNew |= IngestUnderLock(link.Namespaces, handle, value, batch);
        return isNew;
    }

    /// <summary>False: nobody waits for it.</summary>
    internal bool IngestUnderLock(NamespaceMap map, uint clientHandle, in RawDataValue value, ValueBatch batch)
    {
        // The handle comes from the peer: it must not reach another source's node.
        var node = new NodeHandle((int)clientHandle);
        ref var held = ref CollectionsMarshal.GetValueRefOrNullRef(_held, node.Index);
        if (Unsafe.IsNullRef(ref held) || !ReferenceEquals(nodes.SourceOf(node), owner))
            return false;
        if (!TryHoldUnderLock(ref held, value.EncodedVariant.Length))
        {
            batch.Set(node, new DataValue(default, StatusCodes.BadOutOfMemory, value.SourceTimestamp));
            return true;
        }

        // That the upstream's queue was full is said of its notification: it is no part of the value.
        var status = value.Status.WithoutOverflow();
        if (map.IsIdentity || !ValueMapper.HasIndexes(value.Type))
        {
            batch.SetEncoded(
                node, value.EncodedVariant, status, value.SourceTimestamp, default, value.SourcePicoseconds);
            return true;
        }

        var mapper = new ValueMapper(map, toLocal: true);
        var mapped = mapper.Map(value.ToVariant());
        batch.Set(node, new DataValue(mapped, status, value.SourceTimestamp, default, value.SourcePicoseconds));
        return true;
    }

    /// <summary>Accounts for the value that replaces the node's last one. False: it would be too much.</summary>
    private bool TryHoldUnderLock(ref int held, int size)
    {
        var sum = _heldBytes - held + size;
        var isTooLarge = size > limits.MaxUpstreamValueBytes;
        if (isTooLarge || sum > limits.MaxUpstreamHeldBytes)
        {
            metrics.Met(isTooLarge ? UpstreamBound.MaxUpstreamValueBytes : UpstreamBound.MaxUpstreamHeldBytes);
            _heldBytes -= held;
            held = 0;
            return false;
        }

        _heldBytes = sum;
        held = size;
        return true;
    }

    /// <summary>Nobody wants the node and no item follows it.</summary>
    private void ForgetUnderLock(int index)
    {
        if (_held.Remove(index, out var size))
            _heldBytes -= size;
        values.Clear(new NodeHandle(index));
    }

    /// <summary>The session ends at once: the loop that follows the wishes may be waiting for an answer. Where it is
    /// not there yet the loop ends it.</summary>
    private void End(UpstreamBound bound, string message)
    {
        UpstreamLink? link;
        lock (_lock)
        {
            _bound ??= new UpstreamBoundException(bound, message);
            link = _link;
        }

        _signal.Writer.TryWrite(true);
        link?.Session.Abort();
    }

    private (List<int> Create, List<int> Delete, bool Refresh) TakeChanges(UpstreamLink link)
    {
        List<int> create = [];
        List<int> delete = [];
        lock (_lock)
        {
            if (_bound is { } bound)
                throw bound;
            if (!ReferenceEquals(link, _link))
                return (create, delete, false);
            foreach (var index in _changed)
            {
                var wanted = _wanted.Contains(index);
                if (wanted && !_active.ContainsKey(index))
                    create.Add(index);
                else if (!wanted && _active.ContainsKey(index))
                    delete.Add(index);
            }

            _changed.Clear();
            _creating.UnionWith(create);
            var refresh = _refresh;
            _refresh = false;
            return (create, delete, refresh);
        }
    }

    private async ValueTask CreateAsync(
        UpstreamLink link, uint subscriptionId, List<int> handles, CancellationToken cancellation)
    {
        foreach (var part in handles.Chunk(link.Sizes.MonitoredItemsPerCall))
        {
            var items = Array.ConvertAll(part, handle => Item(link, handle));
            var request = new CreateMonitoredItemsRequest
            {
                SubscriptionId = subscriptionId,
                TimestampsToReturn = TimestampsToReturn.Source,
                ItemsToCreate = items,
            };
            var response = await link.Session
                .InvokeAsync<CreateMonitoredItemsRequest, CreateMonitoredItemsResponse>(request, cancellation)
                .ConfigureAwait(false);
            OnCreated(link, part, UpstreamRequests.Matching(response.Results, part.Length));
        }
    }

    private void OnCreated(UpstreamLink link, int[] handles, MonitoredItemCreateResult[] results)
    {
        lock (_lock)
        {
            if (!ReferenceEquals(link, _link))
                return;
            for (var i = 0; i < handles.Length; i++)
            {
                _creating.Remove(handles[i]);
                if (!results[i].StatusCode.IsBad)
                    _active[handles[i]] = (
                        results[i].MonitoredItemId, RevisedUnderLock(results[i].RevisedSamplingInterval));
                else if (_wanted.Contains(handles[i]))
                    values.Set(new NodeHandle(handles[i]), new DataValue(default, results[i].StatusCode, Now()));
                else
                    ForgetUnderLock(handles[i]);
            }
        }
    }

    private async ValueTask DeleteAsync(
        UpstreamLink link, uint subscriptionId, List<int> handles, CancellationToken cancellation)
    {
        foreach (var part in handles.Chunk(link.Sizes.MonitoredItemsPerCall))
        {
            var ids = TakeActive(part);
            if (ids.Length == 0)
                continue;
            var request = new DeleteMonitoredItemsRequest
            {
                SubscriptionId = subscriptionId,
                MonitoredItemIds = ids,
            };
            await link.Session
                .InvokeAsync<DeleteMonitoredItemsRequest, DeleteMonitoredItemsResponse>(request, cancellation)
                .ConfigureAwait(false);
        }
    }

    private uint[] TakeActive(int[] handles)
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

    private async ValueTask RefreshAsync(UpstreamLink link, CancellationToken cancellation)
    {
        int[] handles;
        lock (_lock)
            handles = [.. _active.Keys];
        foreach (var part in handles.Chunk(link.Sizes.NodesPerRead))
        {
            var reads = Array.ConvertAll(part, handle => Item(link, handle).ItemToMonitor);
            var allowance = new ValueAllowance(limits.MaxUpstreamAnswerBytes);
            var read = await link.Session.ReadAsync(reads, 0, link.Sizes.NodesPerRead, allowance, cancellation)
                .ConfigureAwait(false);
            TakeRefreshed(link, part, read);
        }
    }

    private void TakeRefreshed(UpstreamLink link, int[] handles, DataValue[] read)
    {
        using var encoded = new PooledBuffer();
        lock (_lock)
        {
            for (var i = 0; i < handles.Length && ReferenceEquals(link, _link); i++)
            {
                var mapper = new ValueMapper(link.Namespaces, toLocal: true);
                var value = read[i] with
                {
                    Value = mapper.Map(read[i].Value),
                    Status = read[i].Status.WithoutOverflow(),
                    ServerTimestamp = default,
                };
                encoded.Reset();
                var writer = new UaBinaryWriter(encoded);
                writer.WriteVariant(value.Value);
                writer.Complete();
                ref var held = ref CollectionsMarshal.GetValueRefOrNullRef(_held, handles[i]);
                if (Unsafe.IsNullRef(ref held))
                    continue;
                if (!TryHoldUnderLock(ref held, encoded.WrittenSpan.Length))
                    value = new DataValue(default, StatusCodes.BadOutOfMemory, value.SourceTimestamp);
                values.Set(new NodeHandle(handles[i]), value);
            }
        }
    }

    private MonitoredItemCreateRequest Item(UpstreamLink link, int handle)
    {
        // A namespace that the upstream no longer has gives a null id, and the item its Bad_NodeIdUnknown.
        link.Namespaces.TryToUpstream(nodes.GetNodeId(new NodeHandle(handle)), out var id);
        return new MonitoredItemCreateRequest
        {
            ItemToMonitor = new ReadValueId { NodeId = id, AttributeId = (uint)AttributeId.Value },
            MonitoringMode = MonitoringMode.Reporting,
            RequestedParameters = new MonitoringParameters
            {
                ClientHandle = (uint)handle,
                SamplingInterval = samplingIntervalMs,
                QueueSize = QueueSize,
                DiscardOldest = true,
            },
        };
    }

    /// <summary>NaN says nothing.</summary>
    private float RevisedUnderLock(double intervalMs) =>
        (float)(intervalMs > PublishingMsUnderLock ? intervalMs : PublishingMsUnderLock);

    private DateTime Now() => time.GetUtcNow().UtcDateTime;
}
