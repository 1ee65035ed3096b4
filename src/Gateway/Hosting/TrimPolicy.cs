namespace Gateway.Host.Hosting;

/// <summary>
/// When memory that a flood has left behind is given back (R43). The runtime would keep it: nothing is allocated any
/// more that could make it collect. Only while it is calm, and only once for what is found: where the first, concurrent
/// collection shows that the memory is really in use, nothing stops the threads for it. Pure; owner: the timer of
/// <see cref="MemoryTrim"/>.
/// </summary>
internal sealed class TrimPolicy
{
    /// <summary>Growth that is not worth a look.</summary>
    private const long SmallBytes = 6L * 1024 * 1024;

    /// <summary>Allocated between two looks: more is a load that makes the runtime collect by itself.</summary>
    private const long CalmBytes = 48L * 1024 * 1024;

    private long _usualBytes = long.MaxValue;
    private long _allocatedBytes;
    private bool _hasLooked;

    /// <param name="now">Between two looks some seconds pass.</param>
    public TrimStep Next(in MemoryFacts now)
    {
        var isCalm = now.AllocatedBytes - _allocatedBytes < CalmBytes && now.HeldBytes < SmallBytes;
        _allocatedBytes = now.AllocatedBytes;
        _usualBytes = Math.Min(_usualBytes, now.ResidentBytes);
        if (!isCalm)
        {
            _hasLooked = false;
            return TrimStep.None;
        }

        if (!_hasLooked)
        {
            _hasLooked = now.ResidentBytes > _usualBytes + SmallBytes + (_usualBytes / 25);
            return _hasLooked ? TrimStep.Look : TrimStep.None;
        }

        _hasLooked = false;
        var idle = now.CommittedBytes - now.LiveBytes;
        if (idle > SmallBytes + (now.LiveBytes / 3))
            return TrimStep.Compact;
        _usualBytes = now.ResidentBytes;
        return TrimStep.None;
    }

    /// <summary>What is there behind a compaction is needed.</summary>
    public void Compacted(long residentBytes) => _usualBytes = residentBytes;
}
