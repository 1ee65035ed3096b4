namespace Gateway.Loadtest.Checks;

/// <summary>Counting tags by client handle: each value must be its predecessor's plus one. Owner: one connection's
/// thread; counts may be read from others as they stand.</summary>
internal sealed class CounterCheck(int items)
{
    private readonly double[] _last = NotSeen(items);
    private bool[]? _isQueueOfOne;

    /// <summary>Values in order and out of it.</summary>
    public long Values { get; private set; }

    /// <summary>Places where values are missing, and nothing excuses it.</summary>
    public long Gaps { get; private set; }

    /// <summary>Values that are missing there.</summary>
    public long Missing { get; private set; }

    /// <summary>Places where values are missing, and the Overflow bit says so: the queue was full.</summary>
    public long Overflows { get; private set; }

    /// <summary>Places where values are missing of an item whose queue has one entry: the later one of two changes
    /// between two messages takes the place of the other, and no bit may say so (Part 4 §5.13.1.5).</summary>
    public long Replaced { get; private set; }

    /// <summary>The same value once more.</summary>
    public long Repeats { get; private set; }

    /// <summary>A value older than one that came before.</summary>
    public long Reorders { get; private set; }

    /// <summary>No counter, or of no item.</summary>
    public long Unknown { get; private set; }

    /// <summary>Items without any value so far.</summary>
    public int Silent
    {
        get
        {
            var count = 0;
            foreach (var last in _last)
                count += double.IsNaN(last) ? 1 : 0;
            return count;
        }
    }

    /// <returns>The last value of an item; NaN before the first.</returns>
    public double LastOf(uint handle) => _last[handle];

    /// <summary>The server has granted it a queue of one entry.</summary>
    public void SetQueueOfOne(uint handle) => (_isQueueOfOne ??= new bool[items])[handle] = true;

    /// <param name="handle">The item.</param>
    /// <param name="value">Its counter.</param>
    /// <param name="isOverflow">The value has the Overflow bit.</param>
    public void Add(uint handle, double value, bool isOverflow = false)
    {
        if (handle >= (uint)_last.Length || !double.IsFinite(value))
        {
            AddUnknown();
            return;
        }

        Values++;
        ref var last = ref _last[handle];
        if (value == last + 1 || double.IsNaN(last))
        {
            last = value;
        }
        else if (value == last)
        {
            Repeats++;
        }
        else if (value < last)
        {
            Reorders++;
        }
        else
        {
            AddGap(handle, (long)(value - last) - 1, isOverflow);
            last = value;
        }
    }

    public void AddUnknown() => Unknown++;

    private void AddGap(uint handle, long missing, bool isOverflow)
    {
        if (isOverflow)
        {
            Overflows++;
        }
        else if (_isQueueOfOne?[handle] == true)
        {
            Replaced++;
        }
        else
        {
            Gaps++;
            Missing += missing;
        }
    }

    private static double[] NotSeen(int items)
    {
        var last = new double[items];
        Array.Fill(last, double.NaN);
        return last;
    }
}
