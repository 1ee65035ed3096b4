namespace Gateway.Events.Delivery;

/// <summary>The way of events to one shard: a bounded queue. No producer ever waits: where the queue is full, the event
/// is lost for the group, and the shard tells its items so. The shard takes what is here before each of its cycles, in
/// which alone notifications go out, and four times a second at least; so it is woken only where many wait, and not by
/// each event. Owner: the shard reads, alone; the hub writes. Lock order:
/// nothing is taken under this lock.</summary>
public sealed class EventInbox
{
    /// <summary>A wake costs as much as handing out some events.</summary>
    private const int MostToWait = 64;

    private readonly Lock _lock = new();
    private readonly Queue<PostedEvent> _queue = new();
    private readonly Dictionary<EventGroup, bool> _lossy = [];
    private readonly int _maxEvents;
    private readonly int _wakeAt;
    private readonly Action _wake;

    /// <summary>The events that wait, by their group: from the first <see cref="Read"/> until nothing waits, because
    /// in a burst many items may ask. Null: nobody has.</summary>
    private Dictionary<EventGroup, Queue<PostedEvent>>? _byGroup;
    private long _newest;
    private long _lost;

    internal EventInbox(int index, int maxEvents, Action wake)
    {
        Index = index;
        _maxEvents = maxEvents;
        _wakeAt = Math.Clamp(maxEvents / 2, 1, MostToWait);
        _wake = wake;
    }

    /// <summary>Events that were lost because the shard lagged, each group counted.</summary>
    public long Lost => Interlocked.Read(ref _lost);

    internal int Index { get; }

    /// <summary>Events looked at by <see cref="Read"/>.</summary>
    internal long Looked { get; private set; }

    /// <summary>Groups for which events wait, as far as <see cref="Read"/> has asked.</summary>
    internal int Groups
    {
        get
        {
            lock (_lock)
                return _byGroup?.Count ?? 0;
        }
    }

    /// <summary>The shard looks at its work.</summary>
    public void Wake() => _wake();

    public bool TryTake(out PostedEvent next)
    {
        lock (_lock)
        {
            if (!_queue.TryDequeue(out next))
                return false;
            if (_queue.Count == 0)
                _byGroup = null;
            else if (_byGroup is { } byGroup)
                Remove(byGroup, next.Group);
            return true;
        }
    }

    /// <summary>The events that wait for a group, the oldest first. They stay here for its other items; each has a
    /// reference of the caller's.</summary>
    /// <param name="group">The items.</param>
    /// <param name="seen">Only those after this one.</param>
    /// <param name="last">Of the newest event that came, be it taken or not.</param>
    /// <param name="lost">Null: nothing is lost of the group; else whether notifications of conditions are.</param>
    internal List<PostedEvent> Read(EventGroup group, long seen, out long last, out bool? lost)
    {
        var waiting = new List<PostedEvent>();
        lock (_lock)
        {
            last = _newest;
            if (_queue.Count > 0 && last > seen)
            {
                _byGroup ??= ByGroupUnderLock();
                foreach (var next in _byGroup.GetValueOrDefault(group) ?? [])
                {
                    if (next.Sequence <= seen)
                        continue;
                    next.Fields.AddReference();
                    waiting.Add(next);
                }

                Looked += waiting.Count;
            }

            lost = _lossy.TryGetValue(group, out var hasConditions) ? hasConditions : null;
        }

        return waiting;
    }

    /// <summary>A group that has lost an event; asked for once the queue is empty.</summary>
    /// <param name="group">The items.</param>
    /// <param name="hasConditions">A notification of a condition was among them.</param>
    public bool TryTakeLossy(
        [System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out EventGroup? group, out bool hasConditions)
    {
        lock (_lock)
        {
            (group, hasConditions) = (null, false);
            foreach (var (lossy, conditions) in _lossy)
            {
                (group, hasConditions) = (lossy, conditions);
                break;
            }

            return group is not null && _lossy.Remove(group);
        }
    }

    /// <summary>An event did not come to be: the items of the group are told.</summary>
    internal void PostLoss(EventGroup group, bool isCondition)
    {
        lock (_lock)
            _lossy[group] = isCondition | _lossy.GetValueOrDefault(group);
    }

    /// <summary>Takes a reference of its own.</summary>
    internal void Post(in PostedEvent next)
    {
        bool areMany;
        lock (_lock)
        {
            if (_queue.Count < _maxEvents)
            {
                next.Fields.AddReference();
                _queue.Enqueue(next);
                _newest = next.Sequence;
                if (_byGroup is { } byGroup)
                    Add(byGroup, next);
            }
            else
            {
                _lossy[next.Group] = next.IsCondition | _lossy.GetValueOrDefault(next.Group);
                Interlocked.Increment(ref _lost);
            }

            areMany = _queue.Count % _wakeAt == 0;
        }

        if (areMany)
            _wake();
    }

    private Dictionary<EventGroup, Queue<PostedEvent>> ByGroupUnderLock()
    {
        var byGroup = new Dictionary<EventGroup, Queue<PostedEvent>>();
        foreach (var next in _queue)
            Add(byGroup, next);
        Looked += _queue.Count;
        return byGroup;
    }

    private static void Add(Dictionary<EventGroup, Queue<PostedEvent>> byGroup, in PostedEvent next)
    {
        if (!byGroup.TryGetValue(next.Group, out var waiting))
            byGroup.Add(next.Group, waiting = new Queue<PostedEvent>());
        waiting.Enqueue(next);
    }

    /// <summary>Groups come and go while the shard lags: an empty queue would hold one for as long.</summary>
    private static void Remove(Dictionary<EventGroup, Queue<PostedEvent>> byGroup, EventGroup group)
    {
        var waiting = byGroup[group];
        waiting.Dequeue();
        if (waiting.Count == 0)
            byGroup.Remove(group);
    }
}
