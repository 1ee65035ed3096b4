namespace Gateway.Host.Hosting;

/// <summary>
/// When memory that a flood has left behind is given back (R43). The runtime would keep it: nothing is allocated any
/// more that could make it collect. Only while it is calm. Where a concurrent collection shows that the memory is
/// really in use, nothing stops the threads for it, and the next look comes later each time: upstreams, for one, leave
/// without a word. What is usual is counted beside the clients' state.
/// Pure; owner: the timer of <see cref="MemoryTrim"/>.
/// </summary>
internal sealed class TrimPolicy
{
    /// <summary>Growth that is not worth a look.</summary>
    private const long SmallBytes = 6L * 1024 * 1024;

    /// <summary>Allocated between two looks: more is a load that makes the runtime collect by itself.</summary>
    private const long CalmBytes = 48L * 1024 * 1024;

    private const long SmallStateBytes = 256 * 1024;

    /// <summary>Steps after the first look in vain; each doubles them.</summary>
    private const int FirstWait = 1;

    /// <summary>17 minutes of <see cref="MemoryTrim"/>.</summary>
    private const int LongestWait = 256;

    /// <summary>Allocated between two looks: less is no flood whose end would be worth a look.</summary>
    private const long FloodBytes = 16L * 1024 * 1024;

    /// <summary>A flood has ended where so small a part of what it allocated is left.</summary>
    private const int EndedPart = 8;

    /// <summary>Of the most that was allocated, each step; half of it is forgotten in a minute and a half.</summary>
    private const int ForgottenPart = 32;

    private long _usualBytes = long.MaxValue;
    private long _allocatedBytes = -1;
    private long _mostAllocated;
    private long _stateAtLook;
    private long _collectionsAtLook;
    private bool _isLooking;

    private long _inUseBytes;
    private int _wait;
    private int _waited;

    /// <param name="now">Between two calls some seconds pass.</param>
    public TrimStep Next(in MemoryFacts now)
    {
        var allocated = AllocatedSince(now);
        var isCalm = allocated < CalmBytes && now.HeldBytes < SmallBytes;
        if (HasFloodEnded(allocated))
            (_wait, _waited) = (0, 0);
        _usualBytes = Math.Min(_usualBytes, now.BesideStateBytes);
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

    /// <summary>Told once. What it left may show nowhere else: its clients stay, and memory stays resident.</summary>
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
        if (now.BesideStateBytes <= _usualBytes + small)
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

    /// <summary>What is there behind a compaction is needed now; where it gave little back, it is needed for good.
    /// </summary>
    public void Compacted(in MemoryFacts now)
    {
        if (now.BesideStateBytes > _inUseBytes - SmallBytes)
            _usualBytes = now.BesideStateBytes;
        (_inUseBytes, _wait, _waited) = (now.BesideStateBytes, FirstWait, 0);
    }
}
