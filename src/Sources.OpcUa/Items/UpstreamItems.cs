using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Values;
using Gateway.Client.Subscriptions;
using Gateway.Sources.OpcUa.Health;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Items;

/// <summary>The nodes that downstream clients watch, and the monitored items upstream that follow them. An item's
/// client handle is the node's handle: a change finds its node by that number. State; <see cref="ItemFollower"/> does
/// the requests, <see cref="NotificationIntake"/> brings the changes. Threads: interest from any,
/// changes on the client's connection thread, item calls from the connector's loop. Lock order: shard of the publish
/// engine → this → the store's.</summary>
internal sealed partial class UpstreamItems(
    INodeSource owner,
    NodeTable nodes,
    ValueStore values,
    UpstreamMetrics metrics,
    UpstreamLimits limits,
    TimeProvider time,
    double samplingIntervalMs)
{
    /// <summary>For room for nodes without an item: other clients of the upstream may have gone.</summary>
    private static readonly TimeSpan TryAgain = TimeSpan.FromMinutes(1);

    private readonly Lock _lock = new();
    private readonly HashSet<int> _wanted = [];

    private readonly HeldValues _held = new(owner, nodes, values, limits, metrics);
    private readonly TimestampItems _timestamps = new();
    private readonly HashSet<int> _changed = [];

    /// <summary>Of items whose Create is under way.</summary>
    private readonly HashSet<int> _creating = [];

    /// <summary>For which the upstream has no room.</summary>
    private readonly HashSet<int> _crowded = [];
    private readonly Dictionary<int, ActiveItem> _active = [];
    private readonly SamplingRates _rates = new(samplingIntervalMs);
    private readonly LingeringItems _lingering = new(limits, time);
    private readonly WorkSignal _signal = new(time);
    private readonly CyclicItems _cyclic = new(time);
    private readonly WorkSignal _cycle = new(time);

    /// <summary>There is no room for another item: what comes now is read.</summary>
    private bool _isScarce;
    private UpstreamLink? _link;
    private readonly Interruption _interruption = new(values, time);
    private bool _refresh;

    /// <summary>With an item, and to be read all the same: a change may be missing. Until a value was read, upon
    /// whichever connection, or a newer change has come.</summary>
    private readonly HashSet<int> _unread = [];

    /// <summary>The session of the link ends.</summary>
    private bool _isEnding;

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
        {
            if (_active.TryGetValue(node.Index, out var item))
                return item.AskedMs <= RequestedMs ? item.SamplingMs : _rates.PublishingMs;
            if (!_isScarce)
                return _rates.PublishingMs;
            // The node may have the better one from now on, or keep the one it has.
            var granted = _cyclic.Grantable(RequestedMs) ?? double.PositiveInfinity;
            var least = _cyclic.TryGetInterval(node.Index, out var has) ? Math.Min(has, granted) : granted;
            return double.IsFinite(least) ? Math.Max(least, _rates.PublishingMs) : _rates.PublishingMs;
        }
    }

    /// <summary>The store follows the upstream, and its values are at most so old: one sample and one publish, and the
    /// time since a loss that is bridged. The largest maxAge takes any value that the store holds. Source: Part 4
    /// §5.11.2.2.</summary>
    public bool IsYoungerThan(NodeHandle node, double maxAgeMs)
    {
        lock (_lock)
        {
            if (_interruption.IsOver)
                return false;
            if (!_active.TryGetValue(node.Index, out var item))
            {
                return _cyclic.TryGetInterval(node.Index, out _) && _link is not null &&
                    (maxAgeMs >= int.MaxValue || _cyclic.AgeMs(node.Index) <= maxAgeMs);
            }

            var awayMs = _link is null ? _interruption.Lasted.TotalMilliseconds : 0;
            return maxAgeMs >= int.MaxValue || item.SamplingMs + _rates.PublishingMs + awayMs <= maxAgeMs;
        }
    }

    /// <summary>Asked of the upstream for each item, from its next connection on; set while there is none.</summary>
    public double RequestedMs { get => _rates.RequestedMs; set => _rates.RequestedMs = value; }

    /// <summary>Of the gateway at the upstream: each has its own keep-alives.</summary>
    public int SubscriptionCount { get; set => Volatile.Write(ref field, value); } = 1;

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
                else if (_isScarce && _link is not null && !_active.ContainsKey(node.Index))
                    TryCycleUnderLock(node.Index);
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
            if (_cyclic.TryGetInterval(node.Index, out _))
                TryCycleUnderLock(node.Index);
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
    /// <param name="link">The new one.</param>
    /// <param name="hasNoItems">The upstream has no subscriptions: all is read.</param>
    public void OnConnected(UpstreamLink link, bool hasNoItems = false)
    {
        lock (_lock)
        {
            (_link, _isEnding) = (link, false);
            _rates.RevisedPublishingMs = link.PublishingIntervalMs;
            _active.Clear();
            _creating.Clear();
            _crowded.Clear();
            _cyclic.Clear();
            _catchUp.Clear();
            _isScarce = hasNoItems;
            _changed.UnionWith(_wanted);
            OnItemsChangedUnderLock();
        }

        SubscriptionCount = 1;
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
            (_link, _isEnding) = (link, false);
            _interruption.Restore(batch);
            var lasted = _interruption.Lasted.TotalMilliseconds;
            foreach (var (index, item) in _active)
            {
                if (!item.TellsLosses && lasted > item.SamplingMs)
                    _held.Doubt(index);
            }

            ForgetCreatingUnderLock();
            _changed.UnionWith(_wanted);
            _changed.UnionWith(_active.Keys);
            _cyclic.BeginAnew();
        }

        batch.Commit();
        _signal.Set();
        _cycle.Set();
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
            _cyclic.Clear();
            _crowded.Clear();
            _unread.Clear();
            (_refresh, _isScarce) = (false, false);
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
        TimeSpan atMost;
        lock (_lock)
        {
            atMost = _lingering.Count > 0 ? _lingering.Look : _crowded.Count > 0 ? TryAgain : Timeout.InfiniteTimeSpan;
            var catchUp = _catchUp.UntilDue;
            if (catchUp >= TimeSpan.Zero && (atMost < TimeSpan.Zero || catchUp < atMost))
                atMost = catchUp;
        }

        return _signal.WaitAsync(atMost, cancellation);
    }

    /// <summary>So many of the changes.</summary>
    /// <returns>Whether one is a watched node's.</returns>
    public bool Ingest(ref DataChangeReader changes, int count, ValueBatch batch)
    {
        var isNew = false;
        lock (_lock)
        {
            for (var i = 0; i < count && _link is { } link && changes.TryRead(out var handle, out var value); i++)
            {
                var isOld = _catchUp.IsOld((int)handle, value);
                if (_unread.Count > 0 && !isOld)
                    _unread.Remove((int)handle);
                isNew |= isOld || _held.Ingest(link.Namespaces, handle, value, batch);
            }
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
        lock (_lock)
            _isEnding = true;
        _signal.Set();
        Volatile.Read(ref _link)?.Session.Abort();
    }

    /// <summary>No Create is under way any more. Nothing else knows of what was made for nobody.</summary>
    private void ForgetCreatingUnderLock()
    {
        foreach (var index in _creating)
        {
            if (!_wanted.Contains(index) && !_active.ContainsKey(index))
                ForgetUnderLock(index);
        }

        _creating.Clear();
    }

    /// <summary>No item wants the node and none follows it.</summary>
    private void ForgetUnderLock(int index)
    {
        _held.Remove(index);
        _crowded.Remove(index);
        _rates.Remove(index);
        _cyclic.Remove(index);
        _lingering.Remove(index);
        _unread.Remove(index);
        _interruption.Forget(index);
        values.Clear(new NodeHandle(index));
    }
}
