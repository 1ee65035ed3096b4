namespace Gateway.Host.Hosting;

/// <summary>
/// When memory that a flood has left behind is given back (R43). The runtime would keep it: nothing is allocated any
/// more that could make it collect. Only while it is calm, and only once for what is found: where the first, concurrent
/// collection shows that the memory is really in use, nothing stops the threads for it. What is usual is counted beside
/// the clients' state, so that it is found again when they leave. Pure; owner: the timer of <see cref="MemoryTrim"/>.
/// </summary>
internal sealed class TrimPolicy
{
    /// <summary>Growth that is not worth a look.</summary>
    private const long SmallBytes = 6L * 1024 * 1024;

    /// <summary>Allocated between two looks: more is a load that makes the runtime collect by itself.</summary>
    private const long CalmBytes = 48L * 1024 * 1024;

    private const long SmallStateBytes = 256 * 1024;

    private long _usualBytes = long.MaxValue;
    private long _allocatedBytes;
    private long _stateAtLook;
    private long _collectionsAtLook;
    private bool _hasLooked;

    /// <param name="now">Between two looks some seconds pass.</param>
    public TrimStep Next(in MemoryFacts now)
    {
        var isCalm = now.AllocatedBytes - _allocatedBytes < CalmBytes && now.HeldBytes < SmallBytes;
        _allocatedBytes = now.AllocatedBytes;
        _usualBytes = Math.Min(_usualBytes, now.BesideStateBytes);
        if (!isCalm)
        {
            _hasLooked = false;
            return TrimStep.None;
        }

        if (!_hasLooked)
        {
            NoteLook(now);
            _hasLooked = now.BesideStateBytes > _usualBytes + SmallBytes + (now.ResidentBytes / 25);
            return _hasLooked ? TrimStep.Look : TrimStep.None;
        }

        if (now.FullCollections == _collectionsAtLook)
            return TrimStep.None;
        if (now.StateBytes < _stateAtLook - SmallStateBytes)
        {
            // Clients left while the collection looked.
            NoteLook(now);
            return TrimStep.Look;
        }

        _hasLooked = false;
        var idle = now.CommittedBytes - now.LiveBytes;
        if (idle > SmallBytes + (now.LiveBytes / 8))
            return TrimStep.Compact;
        _usualBytes = now.BesideStateBytes;
        return TrimStep.None;
    }

    private void NoteLook(in MemoryFacts now) =>
        (_stateAtLook, _collectionsAtLook) = (now.StateBytes, now.FullCollections);

    /// <summary>What is there behind a compaction is needed.</summary>
    public void Compacted(in MemoryFacts now) => _usualBytes = now.BesideStateBytes;
}
