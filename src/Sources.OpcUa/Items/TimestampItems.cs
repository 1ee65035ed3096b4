namespace Gateway.Sources.OpcUa.Items;

/// <summary>
/// Nodes for which a downstream client wants a change of the SourceTimestamp alone, and the upstream items that report
/// it. Items start without: a server that stamps each sample would send all of them, for all clients. Source: Part 4
/// §7.22.2. Owner: <see cref="UpstreamItems"/>, under its lock.
/// </summary>
internal sealed class TimestampItems
{
    private readonly HashSet<int> _wanted = [];
    private readonly HashSet<int> _reported = [];
    private readonly HashSet<int> _changed = [];

    public void Set(int node, bool wanted)
    {
        if (wanted ? _wanted.Add(node) : _wanted.Remove(node))
            _changed.Add(node);
    }

    public bool IsReported(int node) => _reported.Contains(node);

    /// <summary>The node's item exists.</summary>
    /// <param name="node">As above.</param>
    /// <param name="reports">Its item reports timestamps.</param>
    public void OnCreated(int node, bool reports = false)
    {
        _ = reports ? _reported.Add(node) : _reported.Remove(node);
        if (_wanted.Contains(node) != reports)
            _changed.Add(node);
    }

    /// <summary>Items that are to report them from now on, or no longer. Others are checked when they are made.
    /// </summary>
    public List<(int Node, bool Wanted)> Take(Predicate<int> isThere)
    {
        List<(int, bool)> changes = [];
        foreach (var node in _changed)
        {
            var wanted = _wanted.Contains(node);
            if (!isThere(node) || wanted == _reported.Contains(node))
                continue;
            _ = wanted ? _reported.Add(node) : _reported.Remove(node);
            changes.Add((node, wanted));
        }

        _changed.Clear();
        return changes;
    }
}
