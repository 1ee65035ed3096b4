namespace Gateway.Admission.Lanes;

/// <summary>
/// A bounded queue with classes, fairness and patience. Of two classes the lower one goes first; within a class the
/// entry that was served least (start-time fair queueing over up to two shares an entry); of equals the first that
/// came. Work that waited longer than the patience is never served: <see cref="TakeExpired"/> hands it out. A full
/// queue gives the place of its worst placed entry to a better one. Everything O(log n). Threads: any; its lock is a
/// leaf.
/// </summary>
/// <remarks>
/// Each piece of work advances virtual time by one over the number that wait, and at least to the start of the work. An
/// entry that runs ahead of it by more than <see cref="MostKnownAhead"/> counts as a stranger, and goes behind all that
/// did not; its lead when none of its work waits any more is limited to <see cref="MostAhead"/>, and forgiven in
/// seconds.
/// </remarks>
public sealed class FairQueue<T>(int capacity, TimeSpan patience, TimeProvider time)
    where T : FairEntry
{
    internal const double MostAhead = 10;
    internal const double MostKnownAhead = 5;
    internal const double ForgivenPerSecond = 2;

    private static readonly int Classes = Enum.GetValues<LaneClass>().Length;

    private readonly Lock _lock = new();
    private readonly FairHeap<T>[] _best = [.. Enumerable.Range(0, Classes).Select(_ => new FairHeap<T>(false))];
    private readonly FairHeap<T>[] _worst = [.. Enumerable.Range(0, Classes).Select(_ => new FairHeap<T>(true))];
    private AgeList<FairEntry> _waiting;
    private double _virtualTime;
    private long _lastOrder;
    private int _count;

    public int Count => Volatile.Read(ref _count);

    public int Capacity => capacity;

    public TimeSpan Patience => patience;

    /// <summary>How long the last entry still waits at most; zero: none waits.</summary>
    public TimeSpan LongestLeft
    {
        get
        {
            lock (_lock)
            {
                if (_waiting.Youngest is not { } youngest)
                    return TimeSpan.Zero;
                var left = patience - time.GetElapsedTime(youngest.EnqueuedAt);
                return left > TimeSpan.Zero ? left : TimeSpan.Zero;
            }
        }
    }

    /// <summary>False: full, and no entry gives way.</summary>
    /// <param name="entry">Waits in no queue yet.</param>
    /// <param name="lane">Its class.</param>
    /// <param name="owner">The certificate's share, a claim as yet: charged when the entry is served.</param>
    /// <param name="address">The address' share: charged now, given back where the entry is not served because of us.
    /// </param>
    /// <param name="displaced">The entry that made room: out of the queue; the caller has to tell it.</param>
    public bool TryEnqueue(T entry, LaneClass lane, FairShare? owner, FairShare? address, out T? displaced)
    {
        displaced = null;
        lock (_lock)
        {
            var now = time.GetTimestamp();
            PlaceUnderLock(entry, lane, owner, address, now);
            if (_count >= capacity)
            {
                displaced = WhoGivesWayUnderLock(entry, now);
                if (displaced is null)
                    return false;
                GiveBack(displaced);
                RemoveUnderLock(displaced, now);
            }

            Join(owner);
            Join(address);
            address?.Charge(entry.Start);
            (entry.OwnerShare, entry.AddressShare) = (owner, address);
            entry.IsWaiting = true;
            _waiting.Add(entry);
            _best[(int)entry.Lane].Add(entry);
            _worst[(int)entry.Lane].Add(entry);
            _count++;
            return true;
        }
    }

    /// <summary>Those of this class, the expired ones that were passed over left out.</summary>
    public int WaitingIn(LaneClass lane)
    {
        lock (_lock)
            return _best[(int)lane].Count;
    }

    /// <summary>The next to be served; null where no entry waits, or only expired ones.</summary>
    /// <param name="last">Classes behind it wait on.</param>
    public T? TryDequeue(LaneClass last = LaneClass.Stranger)
    {
        lock (_lock)
        {
            var now = time.GetTimestamp();
            for (var lane = 0; lane <= (int)last; lane++)
            {
                var entry = FirstAliveUnderLock(lane, now);
                if (entry is null)
                    continue;
                _virtualTime = Math.Max(_virtualTime, entry.Start) + (1.0 / _count);
                entry.OwnerShare?.Charge(entry.Start);
                RemoveUnderLock(entry, now);
                return entry;
            }

            return null;
        }
    }

    /// <summary>One that waited too long; null: none.</summary>
    public T? TakeExpired()
    {
        lock (_lock)
        {
            var now = time.GetTimestamp();
            if (_waiting.Oldest is not T entry || !IsExpired(entry, now))
                return null;
            GiveBack(entry);
            RemoveUnderLock(entry, now);
            return entry;
        }
    }

    /// <summary>False: it does not wait (any more).</summary>
    /// <param name="entry">Of this queue.</param>
    /// <param name="isRefused">We do not serve it; its peer did not leave.</param>
    public bool Remove(T entry, bool isRefused = false)
    {
        lock (_lock)
        {
            if (!entry.IsWaiting)
                return false;
            if (isRefused)
                GiveBack(entry);
            RemoveUnderLock(entry, time.GetTimestamp());
            return true;
        }
    }

    private void PlaceUnderLock(T entry, LaneClass lane, FairShare? owner, FairShare? address, long now)
    {
        ForgiveUnderLock(owner, now);
        ForgiveUnderLock(address, now);
        var judged = owner ?? address;
        var isAhead = judged is not null && judged.Finish - _virtualTime > MostKnownAhead;
        entry.Lane = isAhead && lane == LaneClass.Known ? LaneClass.Stranger : lane;
        entry.Start = Math.Max(_virtualTime, Math.Max(owner?.Finish ?? 0, address?.Finish ?? 0));
        entry.Order = ++_lastOrder;
        entry.EnqueuedAt = now;
    }

    private void ForgiveUnderLock(FairShare? share, long now)
    {
        if (share is null || share.Waiting > 0)
            return;
        var forgiven = ForgivenPerSecond * time.GetElapsedTime(share.LastWaited, now).TotalSeconds;
        share.LimitTo(_virtualTime + Math.Max(0, MostAhead - forgiven));
    }

    private static void Join(FairShare? share)
    {
        if (share is not null)
            share.Waiting++;
    }

    private static void Part(FairShare? share, long now)
    {
        if (share is not null && --share.Waiting == 0)
            share.LastWaited = now;
    }

    /// <summary>Not when a peer hangs up: a peer that connects and hangs up in a loop pays.</summary>
    private static void GiveBack(T entry) => entry.AddressShare?.Add(-1);

    /// <summary>Expired ones are out of the heaps' way but wait on, in order of age, until they are taken
    /// out.</summary>
    private T? FirstAliveUnderLock(int lane, long now)
    {
        while (_best[lane].First is { } first)
        {
            if (!IsExpired(first, now))
                return first;
            _best[lane].Remove(first);
            _worst[lane].Remove(first);
        }

        return null;
    }

    private bool IsExpired(FairEntry entry, long now) => time.GetElapsedTime(entry.EnqueuedAt, now) > patience;

    private T? WhoGivesWayUnderLock(T entry, long now)
    {
        if (_waiting.Oldest is T oldest && IsExpired(oldest, now))
            return oldest;
        for (var lane = Classes - 1; lane >= (int)entry.Lane; lane--)
        {
            if (_worst[lane].First is { } worst)
                return lane > (int)entry.Lane || entry.Start < worst.Start ? worst : null;
        }

        return null;
    }

    private void RemoveUnderLock(T entry, long now)
    {
        _waiting.Remove(entry);
        entry.IsWaiting = false;
        _count--;
        Part(entry.OwnerShare, now);
        Part(entry.AddressShare, now);
        entry.OwnerShare = entry.AddressShare = null;
        _best[(int)entry.Lane].Remove(entry);
        _worst[(int)entry.Lane].Remove(entry);
    }
}
