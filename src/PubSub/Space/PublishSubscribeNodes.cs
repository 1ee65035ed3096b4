using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Options;
using Gateway.PubSub.Readers;
using Gateway.PubSub.States;

namespace Gateway.PubSub.Space;

/// <summary>
/// The standard's PublishSubscribe object: connections, groups, writers, readers and data sets as they are configured,
/// read-only, with live states and counters. Ids are made of names, so that they depend on no order. Values come from
/// reports that are at most <see cref="MaxAge"/> old. <see cref="TryRead"/> makes none: it may be asked under a shard's
/// lock, and reports take locks and time; <see cref="ReadAsync"/> makes them. Owner: the service, one change at a time;
/// reads: any thread. Source: Part 14 §9.1.
/// </summary>
internal sealed class PublishSubscribeNodes : IPolledSource, IMethodSource
{
    private static readonly TimeSpan MaxAge = TimeSpan.FromMilliseconds(200);

    private readonly Lock _making = new();
    private readonly NodeTable _nodes;
    private readonly TimeProvider _time;
    private readonly PublishSubscribeValues _values;
    private readonly DiagnosticsValues _diagnostics = new();
    private readonly string _publisherId;
    private readonly ushort _namespace;
    private volatile Dictionary<string, Variant> _constants = [];
    private volatile Dictionary<NodeHandle, string> _resets = [];
    private HashSet<NodeId> _own = [];
    private volatile Dictionary<NodeHandle, string> _keys = [];
    private volatile Snapshot? _snapshot;

    public PublishSubscribeNodes(NodeTable nodes, IPubSubState state, IReaderState readers, TimeProvider time)
    {
        (_nodes, _time) = (nodes, time);
        _publisherId = state.PublisherId;
        _values = new PublishSubscribeValues(state, readers, _diagnostics);
        _namespace = nodes.Namespaces.GetOrAdd(ReaderNodes.RootUri);
    }

    public bool TryRead(NodeHandle node, double maxAgeMs, out DataValue value)
    {
        value = default;
        if (_snapshot is not { } snapshot || !IsFresh(snapshot, maxAgeMs))
            return false;
        value = Read(snapshot, node);
        return true;
    }

    public ValueTask ReadAsync(
        ReadOnlyMemory<NodeHandle> nodes, double maxAgeMs, Memory<DataValue> results, CancellationToken ct)
    {
        var snapshot = Current();
        for (var i = 0; i < nodes.Length; i++)
            results.Span[i] = Read(snapshot, nodes.Span[i]);
        return ValueTask.CompletedTask;
    }

    /// <summary>Other options: nodes come and go, those that stay keep their handles.</summary>
    public void Follow(PubSubOptions options)
    {
        var plan = new PublishSubscribePlan(_namespace, this, _publisherId);
        plan.Add(options);
        var batch = new NodeBatch();
        foreach (var gone in _own.Except(plan.Ids))
            batch.Remove(_nodes.Find(gone));
        foreach (var add in plan.All.Where(one => !_own.Contains(one.Id) && _nodes.Find(one.Id).IsNone))
            add.To(batch);
        _nodes.Apply(batch);
        _own = [.. plan.Ids];
        _keys = plan.Keys.ToDictionary(one => _nodes.Find(one.Key), static one => one.Value);
        _resets = plan.Resets.ToDictionary(one => _nodes.Find(one.Key), static one => one.Value);
        _constants = plan.Constants;
        _diagnostics.Objects = plan.Diagnostics;
        _diagnostics.Forget();
        _snapshot = null;
    }

    /// <summary>Reset of a diagnostics object: whoever may call methods may. Source: Part 14 §9.1.11.3.</summary>
    public ValueTask<CallMethodResult> CallAsync(
        NodeHandle obj, NodeHandle method, Variant[] inputs, CancellationToken ct)
    {
        if (!_resets.TryGetValue(method, out var key))
            return new(new CallMethodResult { StatusCode = StatusCodes.BadMethodInvalid });
        _values.Reset(key);
        _snapshot = null;
        return new(new CallMethodResult());
    }

    private DataValue Read(Snapshot snapshot, NodeHandle node)
    {
        var now = _time.GetUtcNow().UtcDateTime;
        return _keys.TryGetValue(node, out var key) &&
            (_constants.TryGetValue(key, out var found) || snapshot.Values.TryGetValue(key, out found))
            ? new DataValue(found, StatusCode.Good, now, now)
            : new DataValue(StatusCodes.BadNotReadable);
    }

    /// <summary>Made once for all who ask at the same time.</summary>
    private Snapshot Current()
    {
        lock (_making)
        {
            if (_snapshot is { } known && IsFresh(known, maxAgeMs: 0))
                return known;
            var made = new Snapshot(_values.Read(), _time.GetTimestamp());
            _snapshot = made;
            return made;
        }
    }

    private bool IsFresh(Snapshot snapshot, double maxAgeMs) =>
        _time.GetElapsedTime(snapshot.At).TotalMilliseconds <= Math.Max(maxAgeMs, MaxAge.TotalMilliseconds);

    private sealed record Snapshot(Dictionary<string, Variant> Values, long At);
}
