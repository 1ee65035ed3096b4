namespace Gateway.Client.Requests;

/// <summary>One timer for all connections of a client: a hashed wheel of 100 ms slots. Each connection has one entry,
/// due at its nearest deadline. Threads: any; the lock is a leaf. An entry further away than a turn waits in its slot
/// for its tick.</summary>
internal sealed class DeadlineWheel : IDisposable
{
    public static readonly TimeSpan Resolution = TimeSpan.FromMilliseconds(100);

    private const int Slots = 512;

    private readonly TimeProvider _time;
    private readonly long _start;
    private readonly long _tickLength;
    private readonly WheelEntry?[] _slots = new WheelEntry?[Slots];
    private readonly List<WheelEntry> _due = [];
    private readonly Lock _lock = new();
    private readonly Lock _turn = new();
    private readonly ITimer _timer;
    private long _tick;

    public DeadlineWheel(TimeProvider time)
    {
        _time = time;
        _start = time.GetTimestamp();
        _tickLength = (long)(time.TimestampFrequency * Resolution.TotalSeconds);
        _timer = time.CreateTimer(static state => ((DeadlineWheel)state!).Turn(), this, Resolution, Resolution);
    }

    public void Dispose() => _timer.Dispose();

    /// <summary>Moves the entry to an earlier time; does nothing where it is due earlier anyway.</summary>
    public void Schedule(WheelEntry entry, long timestamp)
    {
        lock (_lock)
        {
            var tick = Math.Max(_tick + 1, ((timestamp - _start) / _tickLength) + 1);
            if (entry.DueTick >= 0 && entry.DueTick <= tick)
                return;
            RemoveUnderLock(entry);
            entry.DueTick = tick;
            ref var head = ref _slots[tick % Slots];
            entry.Next = head;
            if (head is not null)
                head.Previous = entry;
            head = entry;
        }
    }

    public void Remove(WheelEntry entry)
    {
        lock (_lock)
            RemoveUnderLock(entry);
    }

    private void Turn()
    {
        // A turn that outlasts the period must not meet the next one: the later one leaves its ticks to it.
        if (!_turn.TryEnter())
            return;
        try
        {
            var now = _time.GetTimestamp();
            lock (_lock)
                CollectUnderLock((now - _start) / _tickLength);
            foreach (var entry in _due)
                entry.OnDue(now);
            _due.Clear();
        }
        finally
        {
            _turn.Exit();
        }
    }

    private void CollectUnderLock(long target)
    {
        var first = Math.Max(_tick + 1, target - Slots + 1);
        for (var tick = first; tick <= target; tick++)
        {
            for (var entry = _slots[tick % Slots]; entry is not null;)
            {
                var next = entry.Next;
                if (entry.DueTick <= target)
                {
                    RemoveUnderLock(entry);
                    _due.Add(entry);
                }

                entry = next;
            }
        }

        _tick = Math.Max(_tick, target);
    }

    private void RemoveUnderLock(WheelEntry entry)
    {
        if (entry.DueTick < 0)
            return;
        if (entry.Previous is null)
            _slots[entry.DueTick % Slots] = entry.Next;
        else
            entry.Previous.Next = entry.Next;
        if (entry.Next is not null)
            entry.Next.Previous = entry.Previous;
        entry.Next = entry.Previous = null;
        entry.DueTick = -1;
    }
}
