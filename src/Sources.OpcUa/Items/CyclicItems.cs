using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Gateway.Sources.OpcUa.Items;

/// <summary>
/// Watched nodes for which the upstream has no item: they are read again and again. Each has an interval of
/// <see cref="Steps"/>, granted when it came: the reads of all of them are within half of the upstream's budget, so a
/// later one is granted a longer interval or none, and nobody's grows. Owner: <see cref="UpstreamItems"/>, under its
/// lock.
/// </summary>
internal sealed class CyclicItems(TimeProvider time)
{
    /// <summary>Few, so that many nodes are read together.</summary>
    private static readonly double[] Steps =
        [50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000];

    /// <summary>The rest is for Reads of clients.</summary>
    private const double Share = 0.5;

    private readonly Dictionary<int, CyclicItem> _nodes = [];
    private readonly SortedDictionary<double, CyclicGroup> _groups = [];

    /// <summary>Not read yet.</summary>
    private readonly HashSet<int> _new = [];
    private double _rate;

    public int Count => _nodes.Count;

    public double MaxReadsPerSecond { get; set; } = double.PositiveInfinity;

    public bool TryGetInterval(int node, out double intervalMs)
    {
        var isThere = _nodes.TryGetValue(node, out var item);
        intervalMs = item.IntervalMs;
        return isThere;
    }

    /// <summary>How old the value is at most; infinite before the first one.</summary>
    public double AgeMs(int node) => _nodes.TryGetValue(node, out var item) && item.KnownAt is { } at
        ? time.GetElapsedTime(at).TotalMilliseconds
        : double.PositiveInfinity;

    /// <summary>The interval that a node more would be granted; null: none.</summary>
    /// <param name="askedMs">The longest that would do; the granted one may be longer all the same.</param>
    public double? Grantable(double askedMs)
    {
        foreach (var step in Steps)
        {
            if (step >= askedMs && _rate + (1000 / step) <= MaxReadsPerSecond * Share)
                return step;
        }

        return null;
    }

    /// <summary>False: the budget has no room for it. One that is there keeps its interval where no better fits.
    /// </summary>
    public bool TrySet(int node, double askedMs)
    {
        var item = _nodes.GetValueOrDefault(node);
        var had = item.IntervalMs;
        if (had > 0)
            _rate -= 1000 / had;
        var granted = Grantable(askedMs);
        var interval = had > 0 && !(granted < had) && askedMs <= had ? had : granted ?? had;
        if (interval <= 0)
            return false;
        _rate += 1000 / interval;
        if (interval.Equals(had))
            return true;
        if (had > 0)
            Leave(node, had);
        else
            _new.Add(node);
        item.IntervalMs = interval;
        _nodes[node] = item;
        if (!_groups.TryGetValue(interval, out var group))
            _groups[interval] = group = new CyclicGroup(time.GetTimestamp());
        group.Nodes.Add(node);
        return true;
    }

    public void Remove(int node)
    {
        if (!_nodes.Remove(node, out var item))
            return;
        _rate -= 1000 / item.IntervalMs;
        _new.Remove(node);
        Leave(node, item.IntervalMs);
    }

    public void Clear()
    {
        _nodes.Clear();
        _groups.Clear();
        _new.Clear();
        _rate = 0;
    }

    /// <summary>All are to be read at once: the connection is another one.</summary>
    public void BeginAnew()
    {
        _new.UnionWith(_nodes.Keys);
        foreach (var group in _groups.Values)
            group.Waiting.Clear();
    }

    /// <summary>Until there is something to read.</summary>
    public TimeSpan UntilDue
    {
        get
        {
            if (_new.Count > 0)
                return TimeSpan.Zero;
            var least = Timeout.InfiniteTimeSpan;
            foreach (var (interval, group) in _groups)
            {
                if (group.Waiting.Count > 0)
                    return TimeSpan.Zero;
                var left = TimeSpan.FromMilliseconds(interval) - time.GetElapsedTime(group.ReadAt);
                if (least == Timeout.InfiniteTimeSpan || left < least)
                    least = left > TimeSpan.Zero ? left : TimeSpan.Zero;
            }

            return least;
        }
    }

    /// <summary>Those that are to be read now, each once. First what has never been read, then what is due again
    /// first: a large slow group does not keep a fast one waiting.</summary>
    /// <param name="most">In one request.</param>
    public int[] TakeDue(int most)
    {
        var now = time.GetTimestamp();
        BeginBeats(now);
        HashSet<int> due = [.. _new.Take(most)];
        _new.ExceptWith(due);
        while (due.Count < most && NextDue() is var (interval, group))
        {
            while (due.Count < most && group.Waiting.TryDequeue(out var node))
            {
                if (_nodes.TryGetValue(node, out var item) && item.IntervalMs.Equals(interval))
                    due.Add(node);
            }
        }

        foreach (var node in due)
            CollectionsMarshal.GetValueRefOrNullRef(_nodes, node).AskedAt = now;
        return [.. due];
    }

    /// <summary>The upstream has answered what it was asked last.</summary>
    public void Answered(int node)
    {
        ref var item = ref CollectionsMarshal.GetValueRefOrNullRef(_nodes, node);
        if (!Unsafe.IsNullRef(ref item))
            item.KnownAt = item.AskedAt;
    }

    /// <summary>A group that has not got its turn since the last beat has that one still.</summary>
    private void BeginBeats(long now)
    {
        foreach (var (interval, group) in _groups)
        {
            var late = time.GetElapsedTime(group.ReadAt, now) - TimeSpan.FromMilliseconds(interval);
            if (late < TimeSpan.Zero || group.Waiting.Count > 0)
                continue;
            foreach (var node in group.Nodes)
                group.Waiting.Enqueue(node);
            // On the beat; not twice for a beat that was missed.
            var isOnBeat = late < TimeSpan.FromMilliseconds(interval);
            group.ReadAt = isOnBeat ? now - (long)(late.TotalSeconds * time.TimestampFrequency) : now;
        }
    }

    /// <summary>Of those that wait, the one whose next beat comes first; null: none waits.</summary>
    private (double IntervalMs, CyclicGroup Group)? NextDue()
    {
        (double, CyclicGroup)? next = null;
        var least = double.PositiveInfinity;
        foreach (var (interval, group) in _groups)
        {
            var left = interval - time.GetElapsedTime(group.ReadAt).TotalMilliseconds;
            if (group.Waiting.Count == 0 || left >= least)
                continue;
            (least, next) = (left, (interval, group));
        }

        return next;
    }

    private void Leave(int node, double interval)
    {
        var group = _groups[interval];
        group.Nodes.Remove(node);
        if (group.Nodes.Count == 0)
            _groups.Remove(interval);
    }
}
