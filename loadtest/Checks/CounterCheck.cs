namespace Gateway.Loadtest.Checks;

/// <summary>Counting tags by client handle: each value must be its predecessor's plus one. Owner: one connection's
/// thread; counts may be read from others as they stand.</summary>
internal sealed class CounterCheck(int items)
{
    private readonly double[] _last = NotSeen(items);

    /// <summary>Values in order and out of it.</summary>
    public long Values { get; private set; }

    /// <summary>Places where values are missing.</summary>
    public long Gaps { get; private set; }

    /// <summary>Values that are missing there.</summary>
    public long Missing { get; private set; }

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

    public void Add(uint handle, double value)
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
            Gaps++;
            Missing += (long)(value - last) - 1;
            last = value;
        }
    }

    public void AddUnknown() => Unknown++;

    private static double[] NotSeen(int items)
    {
        var last = new double[items];
        Array.Fill(last, double.NaN);
        return last;
    }
}
