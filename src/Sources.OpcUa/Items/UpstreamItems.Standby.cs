using Gateway.AddressSpace.Nodes;
using Gateway.Sources.OpcUa.Redundancy;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Items;

/// <summary>The same items at a server that stands by, and its turn.</summary>
internal sealed partial class UpstreamItems
{
    private readonly CatchUp _catchUp = new(values, time);
    private readonly WorkSignal _mirrored = new(time);
    private int _mirrorVersion = 1;

    /// <summary>Changes with <see cref="Mirror"/>.</summary>
    public int MirrorVersion => Volatile.Read(ref _mirrorVersion);

    public ValueTask WaitForMirrorAsync(TimeSpan atMost, CancellationToken cancellation) =>
        _mirrored.WaitAsync(atMost, cancellation);

    /// <summary>All items that the upstream has, and those that it is about to get: after a gap it has none.</summary>
    public Dictionary<int, MirroredItem> Mirror()
    {
        lock (_lock)
        {
            var mirror = new Dictionary<int, MirroredItem>(_active.Count);
            foreach (var (node, item) in _active)
                mirror.Add(node, new MirroredItem(node, item.AskedMs, _timestamps.IsReported(node)));
            foreach (var node in _wanted)
            {
                if (!_crowded.Contains(node) && !_cyclic.TryGetInterval(node, out _))
                    mirror.TryAdd(node, new MirroredItem(node, _rates.AskedMs(node), Timestamps: false));
            }

            return mirror;
        }
    }

    private void OnItemsChangedUnderLock()
    {
        Interlocked.Increment(ref _mirrorVersion);
        _mirrored.Set();
    }

    /// <summary>Another server goes on, with items that have sampled along; their queues are about to come. A node
    /// without one there gets it as if it were new. Source: Part 4 §6.6.2.4.5.5.</summary>
    public void OnAdopted(UpstreamLink link, IReadOnlyDictionary<int, StandbyItem> items)
    {
        var batch = values.BeginBatch();
        lock (_lock)
        {
            (_link, _isEnding) = (link, false);
            _rates.RevisedPublishingMs = link.PublishingIntervalMs;
            foreach (var index in _active.Keys.Where(index => !items.ContainsKey(index)).ToArray())
            {
                _interruption.Forget(index);
                if (_wanted.Contains(index))
                    batch.Set(new NodeHandle(index), _interruption.NoCommunication);
                else
                    ForgetUnderLock(index);
            }

            _interruption.Restore(batch);
            _active.Clear();
            foreach (var (index, standby) in items)
                AdoptUnderLock(index, standby);
            ForgetCreatingUnderLock();
            _crowded.Clear();
            _changed.UnionWith(_wanted);
            _changed.UnionWith(_active.Keys);
            _cyclic.BeginAnew();
            _catchUp.Begin(_active.Keys);
        }

        // Before the first change comes: it is compared with what the node has.
        batch.Commit();
        _signal.Set();
        _cycle.Set();
    }

    private void AdoptUnderLock(int index, StandbyItem standby)
    {
        _held.Add(index);
        _cyclic.Remove(index);
        _timestamps.OnCreated(index, standby.Timestamps);
        if (!standby.Item.TellsLosses)
            _held.Doubt(index);
        _active[index] = standby.Item with { SamplingMs = _rates.Granted(standby.Item.SamplingMs) };
    }
}
