using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Items;

/// <summary>
/// The time while the upstream is away. At first its values keep their status: the bridge. Then they are
/// Bad_NoCommunication, and what they were is kept here: where the subscription goes on after all, its next messages
/// follow on those values. Owner: <see cref="UpstreamItems"/>, under its lock.
/// </summary>
internal sealed class Interruption(ValueStore values, TimeProvider time)
{
    private readonly Dictionary<int, SharedValue> _kept = [];
    private long _since = time.GetTimestamp();

    /// <summary>When the upstream was last seen to be away, or the start. The SourceTimestamp of Bad_NoCommunication:
    /// the status is as old as the loss, not as the last good value. Source: Part 4 §7.11.3.</summary>
    public DateTime LostAt { get; private set; } = time.GetUtcNow().UtcDateTime;

    /// <summary>The bridge is over.</summary>
    public bool IsOver { get; private set; }

    public TimeSpan Lasted => time.GetElapsedTime(_since);

    public DataValue NoCommunication => new(default, StatusCodes.BadNoCommunication, LostAt);

    public void Begin() => (LostAt, _since, IsOver) = (time.GetUtcNow().UtcDateTime, time.GetTimestamp(), false);

    /// <param name="nodes">With an item at the upstream.</param>
    public void EndBridge(IEnumerable<int> nodes)
    {
        IsOver = true;
        foreach (var node in nodes)
        {
            if (values.Acquire(new NodeHandle(node)) is { } value && !_kept.TryAdd(node, value))
                value.Release();
        }
    }

    public void Forget(int node)
    {
        if (_kept.Remove(node, out var value))
            value.Release();
    }

    /// <summary>The subscription goes on: each node has its last value again.</summary>
    public void Restore(ValueBatch batch)
    {
        foreach (var (node, value) in _kept)
            batch.SetEncoded(
                new NodeHandle(node), value.EncodedVariant, value.Status, value.SourceTimestamp,
                value.ServerTimestamp, value.SourcePicoseconds);
        Clear();
    }

    /// <summary>Nothing follows on the values of before.</summary>
    public void Clear()
    {
        foreach (var value in _kept.Values)
            value.Release();
        _kept.Clear();
        IsOver = false;
    }
}
