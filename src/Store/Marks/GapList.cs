namespace Gateway.Store.Marks;

/// <summary>The gaps that nobody has acknowledged. Threads: under the log's lock.</summary>
internal sealed class GapList
{
    /// <summary>Above it a new gap grows the last one of its reason.</summary>
    public const int MaxGaps = 64;

    /// <summary>Of all gaps together; records of further writers are counted in no writer.</summary>
    public const int MaxWriters = 8192;

    private static readonly long Together = TimeSpan.FromMinutes(1).Ticks;

    private readonly List<Gap> _gaps = [];
    private int _writers;

    public IReadOnlyList<Gap> All => _gaps;

    /// <param name="writer">Null: unknown.</param>
    public void Add(GapReason reason, long from, long to, long ticks, ushort? writer)
    {
        var gap = FindToGrow(reason, from, ticks);
        if (gap is null)
            _gaps.Add(gap = new Gap(reason, from, ticks));
        gap.From = Math.Min(gap.From, from);
        gap.To = Math.Max(gap.To, to);
        gap.Count += to - from + 1;
        gap.FirstTicks = Math.Min(gap.FirstTicks, ticks);
        gap.LastTicks = Math.Max(gap.LastTicks, ticks);
        if (writer is { } known)
            CountWriter(gap, known, to - from + 1);
    }

    /// <summary>As it was saved.</summary>
    public void Restore(Gap gap)
    {
        _gaps.Add(gap);
        _writers += gap.Writers.Count;
    }

    /// <summary>Takes away what was reported; the gap may have grown since.</summary>
    public void Acknowledge(StoreGap reported)
    {
        var index = _gaps.FindIndex(gap => gap.Reason == reported.Reason && gap.From == reported.From);
        if (index < 0)
            return;
        var gap = _gaps[index];
        _writers -= gap.Writers.Count;
        if (gap.Count <= reported.Count)
        {
            _gaps.RemoveAt(index);
            return;
        }

        gap.Count -= reported.Count;
        gap.From = Math.Min(reported.To + 1, gap.To);
        gap.FirstTicks = Math.Min(reported.LastTime.Ticks, gap.LastTicks);
        foreach (var (writer, count) in reported.Writers)
        {
            if (gap.Writers.TryGetValue(writer, out var all) && all > count)
                gap.Writers[writer] = all - count;
            else
                gap.Writers.Remove(writer);
        }

        _writers += gap.Writers.Count;
    }

    private Gap? FindToGrow(GapReason reason, long from, long ticks)
    {
        for (var i = _gaps.Count - 1; i >= 0; i--)
        {
            var gap = _gaps[i];
            if (gap.Reason != reason)
                continue;
            var follows = gap.To + 1 == from || Math.Abs(ticks - gap.LastTicks) <= Together;
            return follows || _gaps.Count >= MaxGaps ? gap : null;
        }

        return null;
    }

    private void CountWriter(Gap gap, ushort writer, long count)
    {
        if (gap.Writers.TryGetValue(writer, out var before))
        {
            gap.Writers[writer] = before + count;
        }
        else if (_writers < MaxWriters)
        {
            gap.Writers[writer] = count;
            _writers++;
        }
    }
}
