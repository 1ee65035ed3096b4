namespace Gateway.Store.Records;

/// <summary>Sequence numbers that are done with: all up to <see cref="Mark"/>, and ranges above it. Threads: under the
/// log's lock. Adding allocates only while the number of ranges grows; it is bounded by the messages in the consumer's
/// hands and the times that live data overtook a backlog.</summary>
internal sealed class SequenceSet
{
    private readonly List<(long From, long To)> _ranges = new(64);

    /// <summary>Above <see cref="Mark"/>, ascending, apart from each other and from the mark.</summary>
    public IReadOnlyList<(long From, long To)> Ranges => _ranges;

    public long Mark { get; private set; }

    /// <summary>Numbers in <see cref="Ranges"/>.</summary>
    public long CountAbove { get; private set; }

    public bool Contains(long sequence)
    {
        if (sequence <= Mark)
            return true;
        var index = LastFrom(sequence);
        return index >= 0 && sequence <= _ranges[index].To;
    }

    public bool ContainsAll(long from, long to)
    {
        if (to <= Mark || from > to)
            return true;
        var first = Math.Max(from, Mark + 1);
        var index = LastFrom(first);
        return index >= 0 && to <= _ranges[index].To;
    }

    public void Add(long sequence) => Add(sequence, sequence);

    public void Add(long from, long to)
    {
        from = Math.Max(from, Mark + 1);
        if (from > to)
            return;
        var start = LastFrom(from);
        if (start < 0 || _ranges[start].To < from - 1)
            start++;
        var end = start;
        while (end < _ranges.Count && _ranges[end].From <= to + 1)
        {
            var (itsFrom, itsTo) = _ranges[end++];
            (from, to) = (Math.Min(from, itsFrom), Math.Max(to, itsTo));
            CountAbove -= itsTo - itsFrom + 1;
        }

        Replace(start, end, from, to);
    }

    /// <summary>The first number from here on that is not in the set.</summary>
    public long NextMissing(long from)
    {
        if (from <= Mark)
            from = Mark + 1;
        var index = LastFrom(from);
        return index >= 0 && from <= _ranges[index].To ? _ranges[index].To + 1 : from;
    }

    /// <summary>The last number of the missing ones that begin here; <see cref="long.MaxValue"/>: all above.</summary>
    /// <param name="missing">Not in the set.</param>
    public long LastMissing(long missing)
    {
        var next = LastFrom(missing) + 1;
        return next < _ranges.Count ? _ranges[next].From - 1 : long.MaxValue;
    }

    /// <summary>The last number up to this one that is not in the set; <see cref="Mark"/>: all are.</summary>
    public long PreviousMissing(long to)
    {
        if (to <= Mark)
            return Mark;
        var index = LastFrom(to);
        if (index < 0 || _ranges[index].To < to)
            return to;
        // Ranges are apart: the number before one is missing, or it is the mark.
        return _ranges[index].From - 1;
    }

    private void Replace(int start, int end, long from, long to)
    {
        if (from == Mark + 1)
        {
            // Only the first ranges can touch the mark.
            Mark = to;
            _ranges.RemoveRange(0, end);
            return;
        }

        CountAbove += to - from + 1;
        if (start == end)
        {
            _ranges.Insert(start, (from, to));
            return;
        }

        _ranges[start] = (from, to);
        _ranges.RemoveRange(start + 1, end - start - 1);
    }

    /// <summary>Index of the last range that begins at or before this number; -1: none does.</summary>
    private int LastFrom(long sequence)
    {
        var (low, high) = (0, _ranges.Count - 1);
        while (low <= high)
        {
            var middle = (low + high) / 2;
            if (_ranges[middle].From <= sequence)
                low = middle + 1;
            else
                high = middle - 1;
        }

        return high;
    }
}
