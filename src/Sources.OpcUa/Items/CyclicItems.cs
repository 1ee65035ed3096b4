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

    private readonly Dictionary<int, double> _intervals = [];
    private readonly SortedDictionary<double, CyclicGroup> _groups = [];

    /// <summary>Not read yet.</summary>
    private readonly HashSet<int> _new = [];
    private double _rate;

    public int Count => _intervals.Count;

    public double MaxReadsPerSecond { get; set; } = double.PositiveInfinity;

    public bool TryGetInterval(int node, out double intervalMs) => _intervals.TryGetValue(node, out intervalMs);

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
        var had = _intervals.GetValueOrDefault(node);
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
        _intervals[node] = interval;
        if (!_groups.TryGetValue(interval, out var group))
            _groups[interval] = group = new CyclicGroup(time.GetTimestamp());
        group.Nodes.Add(node);
        return true;
    }

    public void Remove(int node)
    {
        if (!_intervals.Remove(node, out var interval))
            return;
        _rate -= 1000 / interval;
        _new.Remove(node);
        Leave(node, interval);
    }

    public void Clear()
    {
        _intervals.Clear();
        _groups.Clear();
        _new.Clear();
        _rate = 0;
    }

    /// <summary>All are to be read at once: the connection is another one.</summary>
    public void BeginAnew() => _new.UnionWith(_intervals.Keys);

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
                var left = TimeSpan.FromMilliseconds(interval) - time.GetElapsedTime(group.ReadAt);
                if (least == Timeout.InfiniteTimeSpan || left < least)
                    least = left > TimeSpan.Zero ? left : TimeSpan.Zero;
            }

            return least;
        }
    }

    /// <summary>Those that are to be read now, each once.</summary>
    public int[] TakeDue()
    {
        HashSet<int> due = [.. _new];
        _new.Clear();
        var now = time.GetTimestamp();
        foreach (var (interval, group) in _groups)
        {
            var late = time.GetElapsedTime(group.ReadAt, now) - TimeSpan.FromMilliseconds(interval);
            if (late < TimeSpan.Zero)
                continue;
            due.UnionWith(group.Nodes);
            // On the beat; not twice for a beat that was missed.
            var isOnBeat = late < TimeSpan.FromMilliseconds(interval);
            group.ReadAt = isOnBeat ? now - (long)(late.TotalSeconds * time.TimestampFrequency) : now;
        }

        return [.. due];
    }

    private void Leave(int node, double interval)
    {
        var group = _groups[interval];
        group.Nodes.Remove(node);
        if (group.Nodes.Count == 0)
            _groups.Remove(interval);
    }
}
