namespace Gateway.Sources.OpcUa.Items;

/// <summary>
/// Items that are wanted less than before, until they have been for <see cref="UpstreamLimits.UpstreamItemLinger"/>:
/// clients that reload a page come back at once, and a controller makes items slowly. At most one entry an item. Owner:
/// <see cref="UpstreamItems"/>, under its lock.
/// </summary>
internal sealed class LingeringItems(UpstreamLimits limits, TimeProvider time)
{
    private readonly Dictionary<int, long> _since = [];

    public int Count => _since.Count;

    /// <summary>How often the due ones are looked for.</summary>
    public TimeSpan Look
    {
        get
        {
            var tenth = limits.UpstreamItemLinger / 10;
            return tenth > TimeSpan.FromMilliseconds(100) ? tenth : TimeSpan.FromMilliseconds(100);
        }
    }

    /// <summary>More is asked for at once, less after a while.</summary>
    /// <param name="node">With an item.</param>
    /// <param name="isWanted">By a client.</param>
    /// <param name="hasMs">The interval that was asked for.</param>
    /// <param name="wantsMs">The interval that is to be asked for.</param>
    /// <param name="delete">Items that go now.</param>
    /// <param name="retime">Items whose interval changes now.</param>
    public void Sort(int node, bool isWanted, float hasMs, float wantsMs, List<int> delete, List<int> retime)
    {
        if (isWanted && wantsMs <= hasMs)
        {
            Remove(node);
            if (wantsMs < hasMs)
                retime.Add(node);
        }
        else if (!TryAdd(node))
        {
            (isWanted ? retime : delete).Add(node);
        }
    }

    /// <summary>False: nothing lingers.</summary>
    private bool TryAdd(int node)
    {
        if (limits.UpstreamItemLinger <= TimeSpan.Zero)
            return false;
        _since.TryAdd(node, time.GetTimestamp());
        return true;
    }

    public void Remove(int node) => _since.Remove(node);

    public void Clear() => _since.Clear();

    public List<int> TakeDue()
    {
        List<int> due = [];
        foreach (var (node, since) in _since)
        {
            if (time.GetElapsedTime(since) >= limits.UpstreamItemLinger)
                due.Add(node);
        }

        due.ForEach(node => _since.Remove(node));
        return due;
    }
}
