namespace Gateway.Host.Hosting;

/// <summary>
/// Decides when the memory of a load peak is returned to the system (R43). The runtime would keep it, because nothing
/// allocates any more and so it does not collect. Trims only while the load is low. A concurrent collection first shows
/// whether the memory is still in use. If it is, no blocking compaction follows, and the next check comes later each
/// time. The clients' state does not show the end of every peak, for example of an upstream's. The baseline is memory
/// beside the clients' state. Pure; owner: the timer of <see cref="MemoryTrim"/>.
/// </summary>
internal sealed class TrimPolicy
{
    /// <summary>Growth below this does not justify a collection.</summary>
    private const long SmallBytes = 6L * 1024 * 1024;

    /// <summary>Allocated between two calls: above this the load makes the runtime collect by itself.</summary>
    private const long CalmBytes = 48L * 1024 * 1024;

    private const long SmallStateBytes = 256 * 1024;

    /// <summary>Calls to skip after the first collection in vain; each further one doubles the number.</summary>
    private const int FirstWait = 1;

    /// <summary>17 minutes of <see cref="MemoryTrim"/>.</summary>
    private const int LongestWait = 256;

    /// <summary>Allocated between two calls: a smaller peak does not justify a collection at its end.</summary>
    private const long FloodBytes = 16L * 1024 * 1024;

    /// <summary>A peak has ended when allocations have fallen to this part of it.</summary>
    private const int EndedPart = 8;

    /// <summary>The part of the remembered peak that each call forgets: half of it in a minute and a half.</summary>
    private const int ForgottenPart = 32;

    private long _baselineBytes = long.MaxValue;
    private long _allocatedBytes = -1;
    private long _mostAllocated;
    private long _stateAtLook;
    private long _collectionsAtLook;
    private bool _isLooking;

    private long _inUseBytes;
    private int _wait;
    private int _waited;

    /// <param name="now">A few seconds after the previous call.</param>
    public TrimStep Next(in MemoryFacts now)
    {
        var allocated = AllocatedSince(now);
        var isCalm = allocated < CalmBytes && now.HeldBytes < SmallBytes;
        if (HasFloodEnded(allocated))
            (_wait, _waited) = (0, 0);
        _baselineBytes = Math.Min(_baselineBytes, now.BesideStateBytes);
        if (!isCalm)
        {
            _isLooking = false;
            return TrimStep.None;
        }

        if (!_isLooking)
            return IsWorthALook(now) ? Look(now) : TrimStep.None;
        if (now.FullCollections == _collectionsAtLook)
            return TrimStep.None;
        if (HaveClientsLeft(now))
            return Look(now);

        _isLooking = false;
        _inUseBytes = now.BesideStateBytes;
        if (now.CommittedBytes - now.LiveBytes > SmallBytes + (now.LiveBytes / 8))
            return TrimStep.Compact;
        (_wait, _waited) = (Math.Clamp(_wait * 2, FirstWait, LongestWait), 0);
        return TrimStep.None;
    }

    private long AllocatedSince(in MemoryFacts now)
    {
        var since = _allocatedBytes < 0 ? 0 : now.AllocatedBytes - _allocatedBytes;
        _allocatedBytes = now.AllocatedBytes;
        return since;
    }

    /// <summary>True once for each peak. Other signs of its end may be missing: its clients stay connected, and its
    /// memory stays resident.</summary>
    private bool HasFloodEnded(long allocated)
    {
        _mostAllocated = Math.Max(_mostAllocated - (_mostAllocated / ForgottenPart), allocated);
        if (_mostAllocated < FloodBytes || allocated > _mostAllocated / EndedPart)
            return false;
        _mostAllocated = allocated;
        return true;
    }

    private bool IsWorthALook(in MemoryFacts now)
    {
        var small = SmallBytes + (now.ResidentBytes / 25);
        if (now.BesideStateBytes <= _baselineBytes + small)
        {
            _wait = 0;
            return false;
        }

        return _wait == 0 || HaveClientsLeft(now) || now.BesideStateBytes > _inUseBytes + small || ++_waited >= _wait;
    }

    private bool HaveClientsLeft(in MemoryFacts now) => now.StateBytes < _stateAtLook - SmallStateBytes;

    private TrimStep Look(in MemoryFacts now)
    {
        _isLooking = true;
        (_stateAtLook, _collectionsAtLook) = (now.StateBytes, now.FullCollections);
        return TrimStep.Look;
    }

    /// <summary>Memory that remains after a compaction is in use. If the compaction freed little, that memory becomes
    /// the new baseline.</summary>
    public void Compacted(in MemoryFacts now)
    {
        if (now.BesideStateBytes > _inUseBytes - SmallBytes)
            _baselineBytes = now.BesideStateBytes;
        (_inUseBytes, _wait, _waited) = (now.BesideStateBytes, FirstWait, 0);
    }
}
