using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Client.Subscriptions;

namespace Gateway.Sources.OpcUa.Items;

/// <summary>
/// The time after another server took over with items that had sampled along. Their queues begin with changes that the
/// server of before has told: a change that is not newer than the value of its node is dropped, until the first that
/// is. Where the clocks of the two differ that may drop too much, so it lasts for <see cref="Length"/> only, and nodes
/// whose last change was dropped though it was another value are read then. Owner: <see cref="UpstreamItems"/>, under
/// its lock.
/// </summary>
internal sealed class CatchUp(ValueStore values, TimeProvider time)
{
    public static readonly TimeSpan Length = TimeSpan.FromSeconds(5);

    private readonly HashSet<int> _behind = [];
    private readonly HashSet<int> _doubtful = [];
    private long _since;

    public TimeSpan UntilDue => _behind.Count == 0 ? Timeout.InfiniteTimeSpan
        : time.GetElapsedTime(_since) >= Length ? TimeSpan.Zero
        : Length - time.GetElapsedTime(_since);

    public void Begin(IEnumerable<int> nodes)
    {
        Clear();
        _behind.UnionWith(nodes);
        _since = time.GetTimestamp();
    }

    public void Clear()
    {
        _behind.Clear();
        _doubtful.Clear();
    }

    /// <summary>The change was told before.</summary>
    public bool IsOld(int node, in RawDataValue change)
    {
        if (_behind.Count == 0 || !_behind.Contains(node))
            return false;
        if (values.Acquire(new NodeHandle(node)) is { } told)
        {
            var isOld = change.SourceTimestamp != default && change.SourceTimestamp <= told.SourceTimestamp;
            var isSame = change.Status == told.Status && change.EncodedVariant.SequenceEqual(told.EncodedVariant);
            told.Release();
            if (isOld)
            {
                _ = isSame ? _doubtful.Remove(node) : _doubtful.Add(node);
                return true;
            }
        }

        _behind.Remove(node);
        _doubtful.Remove(node);
        return false;
    }

    /// <summary>It is over.</summary>
    /// <returns>Nodes to read. Empty also where it is not over.</returns>
    public int[] TakeDue()
    {
        if (UntilDue != TimeSpan.Zero)
            return [];
        int[] due = [.. _doubtful];
        Clear();
        return due;
    }
}
