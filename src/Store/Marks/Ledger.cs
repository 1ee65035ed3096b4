using Gateway.Store.Records;

namespace Gateway.Store.Marks;

/// <summary>Which records are done with and which are lost, and how much of that a marks file says. Threads: under the
/// log's lock.</summary>
internal sealed class Ledger
{
    private readonly GapList _gaps = new();
    private readonly LogCounters _counters;
    private long _changes;
    private long _savedChanges;
    private long _savedMark;

    /// <param name="saved">Null: nothing was.</param>
    /// <param name="mark">Records up to this one are done with at least.</param>
    public Ledger(LogCounters counters, MarksSnapshot? saved, long mark)
    {
        _counters = counters;
        Done.Add(1, mark);
        foreach (var (from, to) in saved?.Ranges ?? [])
            Done.Add(from, to);
        foreach (var gap in saved?.Gaps ?? [])
            _gaps.Restore(gap);
    }

    /// <summary>Acknowledged or lost.</summary>
    public SequenceSet Done { get; } = new();

    public int Gaps => _gaps.All.Count;

    /// <summary>Counts all that a marks file should say.</summary>
    public long UnsavedChanges => _changes - _savedChanges;

    /// <summary>There is something to save.</summary>
    public void Change() => _changes++;

    public void Acknowledge(long sequence)
    {
        Done.Add(sequence);
        _counters.Acknowledge();
        _changes++;
    }

    /// <param name="writer">Null: unknown.</param>
    public void Lose(GapReason reason, long from, long to, long ticks, ushort? writer)
    {
        Done.Add(from, to);
        _gaps.Add(reason, from, to, ticks, writer);
        _counters.Lose(reason, to - from + 1);
        _changes++;
    }

    /// <summary>Those that are neither done with nor in the consumer's hands.</summary>
    public void LoseAllBut(Hands hands, GapReason reason, long from, long to, long ticks, ushort? writer)
    {
        for (var first = Done.NextMissing(from); first <= to; first = Done.NextMissing(first))
        {
            var last = Math.Min(to, Done.LastMissing(first));
            var held = hands.FirstOf(first, last);
            if (held > first)
                Lose(reason, first, Math.Min(last, held - 1), ticks, writer);
            first = (held == long.MaxValue ? last : held) + 1;
        }
    }

    public IReadOnlyList<StoreGap> CopyGaps() => [.. _gaps.All.Select(gap => gap.ToPublic())];

    public void AcknowledgeGap(StoreGap gap)
    {
        _gaps.Acknowledge(gap);
        _changes++;
    }

    /// <summary>Writes what a marks file must hold into it.</summary>
    /// <param name="next">Sequence number of the next record.</param>
    public MarksToSave Prepare(MarksFile marks, uint salt, long next) =>
        new(marks.Prepare(salt, next, Done, _gaps), _changes, Done.Mark);

    public void Saved(in MarksToSave saved) => (_savedChanges, _savedMark) = (saved.Changes, saved.Mark);

    /// <summary>There are half as many ranges as the marks file has room for. Above that room a restart would bring
    /// again what is done with, and no segment could go: no live data overtakes the backlog until there are fewer.
    /// </summary>
    public static bool IsCrowded(SequenceSet done) => done.Ranges.Count >= MarksFile.MaxRanges / 2;

    /// <summary>A process that opens the directory now knows that these records are done with.</summary>
    public bool IsSavedAsDone(long from, long to) =>
        to <= _savedMark
        || (UnsavedChanges == 0 && Done.ContainsAll(from, to) && Done.Ranges.Count <= MarksFile.MaxRanges);
}
