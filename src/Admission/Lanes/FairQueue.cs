namespace Gateway.Admission.Lanes;

/// <summary>
/// A bounded queue with classes, fairness and patience. Of two classes the lower one goes first; within a class who has
/// had the least (start-time fair queueing over up to two shares an entry); of equals the order given. What waited
/// longer than the patience is never served: <see cref="TakeExpired"/> hands it out. A full queue gives a better
/// class the place of the worst placed entry. Everything O(log n). Threads: any; its lock is a leaf.
/// </summary>
public sealed class FairQueue<T>(int capacity, TimeSpan patience, TimeProvider time, QueueOrder order)
    where T : FairEntry
{
    private static readonly int Classes = Enum.GetValues<LaneClass>().Length;

    private readonly Lock _lock = new();
    private readonly List<T>[] _heaps = [.. Enumerable.Range(0, Classes).Select(_ => new List<T>())];
    private FairEntry? _oldest;
    private FairEntry? _youngest;
    private double _virtualTime;
    private long _lastOrder;
    private int _count;

    public int Count => Volatile.Read(ref _count);

    public int Capacity => capacity;

    public TimeSpan Patience => patience;

    /// <summary>False: full, and nobody gives way.</summary>
    /// <param name="entry">Waits in no queue yet.</param>
    /// <param name="lane">Its class.</param>
    /// <param name="first">Whose share it uses, if anybody's.</param>
    /// <param name="second">And of whom besides.</param>
    /// <param name="displaced">Who made room: out of the queue, to be told by the caller.</param>
    public bool TryEnqueue(T entry, LaneClass lane, FairShare? first, FairShare? second, out T? displaced)
    {
        displaced = null;
        lock (_lock)
        {
            if (_count >= capacity)
            {
                displaced = WorstUnderLock(lane);
                if (displaced is null)
                    return false;
                RemoveUnderLock(displaced);
            }

            var start = Math.Max(_virtualTime, Math.Max(first?.Finish ?? 0, second?.Finish ?? 0));
            if (first is not null)
                first.Finish = start + (1 / first.Weight);
            if (second is not null)
                second.Finish = start + (1 / second.Weight);
            entry.Lane = lane;
            entry.Start = start;
            entry.Order = order == QueueOrder.FirstInFirstOut ? ++_lastOrder : --_lastOrder;
            entry.EnqueuedAt = time.GetTimestamp();
            LinkUnderLock(entry);
            var heap = _heaps[(int)lane];
            heap.Add(entry);
            entry.HeapIndex = heap.Count - 1;
            Up(heap, entry.HeapIndex);
            _count++;
            return true;
        }
    }

    /// <summary>Those of this class, the expired ones that were passed over left out.</summary>
    public int WaitingIn(LaneClass lane)
    {
        lock (_lock)
            return _heaps[(int)lane].Count;
    }

    /// <summary>The next to be served; null where nobody waits, or only such as waited too long.</summary>
    /// <param name="last">Classes behind it wait on.</param>
    public T? TryDequeue(LaneClass last = LaneClass.Stranger)
    {
        lock (_lock)
        {
            var now = time.GetTimestamp();
            for (var lane = 0; lane <= (int)last; lane++)
            {
                var heap = _heaps[lane];
                if (heap.Count == 0)
                    continue;
                var entry = FirstAliveUnderLock(heap, now);
                if (entry is null)
                    continue;
                RemoveUnderLock(entry);
                _virtualTime = Math.Max(_virtualTime, entry.Start);
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
            if (_oldest is not T entry || !IsExpired(entry, time.GetTimestamp()))
                return null;
            RemoveUnderLock(entry);
            return entry;
        }
    }

    /// <summary>False: it does not wait (any more).</summary>
    public bool Remove(T entry)
    {
        lock (_lock)
        {
            if (!entry.IsWaiting)
                return false;
            RemoveUnderLock(entry);
            return true;
        }
    }

    /// <summary>Expired ones are out of the heap's way but wait on, in order of age, to be told.</summary>
    private T? FirstAliveUnderLock(List<T> heap, long now)
    {
        while (heap.Count > 0 && IsExpired(heap[0], now))
            TakeFromHeap(heap[0]);
        return heap.Count > 0 ? heap[0] : null;
    }

    private bool IsExpired(FairEntry entry, long now) => time.GetElapsedTime(entry.EnqueuedAt, now) > patience;

    /// <summary>Of a class behind this one, somebody near the end of the heap: among the last half there is no better
    /// placed one than its root.</summary>
    private T? WorstUnderLock(LaneClass lane)
    {
        for (var i = Classes - 1; i > (int)lane; i--)
        {
            if (_heaps[i].Count > 0)
                return _heaps[i][^1];
        }

        return null;
    }

    private void LinkUnderLock(FairEntry entry)
    {
        entry.IsWaiting = true;
        entry.Older = _youngest;
        if (_youngest is null)
            _oldest = entry;
        else
            _youngest.Younger = entry;
        _youngest = entry;
    }

    private void RemoveUnderLock(T entry)
    {
        if (entry.Older is null)
            _oldest = entry.Younger;
        else
            entry.Older.Younger = entry.Younger;
        if (entry.Younger is null)
            _youngest = entry.Older;
        else
            entry.Younger.Older = entry.Older;
        entry.Older = entry.Younger = null;
        entry.IsWaiting = false;
        _count--;
        if (entry.HeapIndex >= 0)
            TakeFromHeap(entry);
    }

    private void TakeFromHeap(T entry)
    {
        var heap = _heaps[(int)entry.Lane];
        var index = entry.HeapIndex;
        var last = heap[^1];
        heap.RemoveAt(heap.Count - 1);
        entry.HeapIndex = -1;
        if (ReferenceEquals(last, entry))
            return;
        heap[index] = last;
        last.HeapIndex = index;
        Up(heap, index);
        Down(heap, last.HeapIndex);
    }

    private static bool IsBefore(T left, T right) =>
        left.Start < right.Start || (left.Start == right.Start && left.Order < right.Order);

    private static void Up(List<T> heap, int index)
    {
        while (index > 0)
        {
            var parent = (index - 1) / 2;
            if (!IsBefore(heap[index], heap[parent]))
                return;
            Swap(heap, index, parent);
            index = parent;
        }
    }

    private static void Down(List<T> heap, int index)
    {
        while (true)
        {
            var child = (2 * index) + 1;
            if (child >= heap.Count)
                return;
            if (child + 1 < heap.Count && IsBefore(heap[child + 1], heap[child]))
                child++;
            if (!IsBefore(heap[child], heap[index]))
                return;
            Swap(heap, index, child);
            index = child;
        }
    }

    private static void Swap(List<T> heap, int left, int right)
    {
        (heap[left], heap[right]) = (heap[right], heap[left]);
        heap[left].HeapIndex = left;
        heap[right].HeapIndex = right;
    }
}
