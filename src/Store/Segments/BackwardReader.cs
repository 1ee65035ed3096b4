using Gateway.Store.Files;

namespace Gateway.Store.Segments;

/// <summary>
/// Reads the records of segments from the newest on. A segment can be walked through in one direction only: this is
/// done once to learn where its pieces begin, and these are then read backwards. Walking is reading, too: it comes in
/// steps of one block, and <see cref="TakenBytes"/> counts it. Threads: the disk's. Errors: those of the files; the
/// next call tries the same again.
/// </summary>
internal sealed class BackwardReader(IStoreFiles files, SegmentList segments) : IDisposable
{
    /// <summary>Where live data comes beside a backlog, two segments are read in turns, and each is walked through
    /// once.</summary>
    private const int MaxWalks = 2;

    /// <summary>The one that was used last comes last.</summary>
    private readonly List<BackwardWalk> _walks = new(MaxWalks);

    public int NeededBytes { get; private set; }

    /// <summary>Bytes that the last call read.</summary>
    public long TakenBytes { get; private set; }

    /// <summary>False: the last call could not open the segment.</summary>
    public bool IsOpen { get; private set; }

    /// <param name="sequence">The newest record that is wanted.</param>
    /// <param name="buffer">Its beginning gets the piece that has it, of whole records.</param>
    /// <param name="length">Of the piece.</param>
    /// <param name="below">With <see cref="ScanResult.End"/>: the newest record below it that may be there; those
    /// between are not.</param>
    /// <returns><see cref="ScanResult.Skipped"/>: a step of the way; the next call goes on.</returns>
    public ScanResult Read(long sequence, byte[] buffer, out int length, out long below)
    {
        (length, below, TakenBytes) = (0, 0, 0);
        if (segments.Find(sequence) is not { } segment)
        {
            below = segments.All.Count > 0 ? segments.All[^1].Last : 0;
            return ScanResult.End;
        }

        var walk = WalkOf(segment);
        if (!walk.HasPassed(sequence))
        {
            var step = walk.Step(buffer, out var walked);
            (TakenBytes, NeededBytes) = (walked, walk.NeededBytes);
            if (step != ScanResult.End)
                return step == ScanResult.NeedsRoom ? step : ScanResult.Skipped;
        }

        if (!walk.TryFind(sequence, out var piece))
        {
            below = Math.Min(sequence - 1, LastBefore(segment));
            return ScanResult.End;
        }

        if (piece.Last < sequence)
        {
            below = piece.Last;
            return ScanResult.End;
        }

        if (piece.Length > buffer.Length)
        {
            NeededBytes = piece.Length;
            return ScanResult.NeedsRoom;
        }

        TakenBytes += piece.Length;
        if (walk.IsWhole(buffer, piece))
        {
            length = piece.Length;
            return ScanResult.Records;
        }

        // It was there when the segment was walked through.
        walk.Forget(piece);
        below = piece.First - 1;
        return ScanResult.End;
    }

    /// <summary>The newest record of the segments before the one that has this one and cannot be read.</summary>
    public long GiveUp(long sequence)
    {
        Dispose();
        return segments.Find(sequence) is { } segment ? Math.Min(sequence - 1, LastBefore(segment)) : sequence - 1;
    }

    /// <summary>Closes a segment that is about to be deleted: its room is free once nobody has it open.</summary>
    public void LetGo(Segment segment) => CloseWhere(walk => walk.Segment == segment);

    public void Dispose()
    {
        foreach (var walk in _walks)
            walk.Dispose();
        _walks.Clear();
    }

    private BackwardWalk WalkOf(Segment segment)
    {
        IsOpen = false;
        var at = _walks.FindIndex(walk => walk.Segment == segment);
        var found = at < 0 ? Open(segment) : _walks[at];
        if (at >= 0)
            _walks.RemoveAt(at);
        _walks.Add(found);
        IsOpen = true;
        return found;
    }

    private BackwardWalk Open(Segment segment)
    {
        if (_walks.Count == MaxWalks)
            CloseWhere(walk => walk == _walks[0]);
        return new BackwardWalk(segment, new SegmentScan(files.OpenToRead(segment.Name), segment.Salt));
    }

    private void CloseWhere(Predicate<BackwardWalk> isOver)
    {
        for (var i = _walks.Count - 1; i >= 0; i--)
        {
            if (!isOver(_walks[i]))
                continue;
            _walks[i].Dispose();
            _walks.RemoveAt(i);
        }
    }

    private long LastBefore(Segment segment)
    {
        var last = 0L;
        foreach (var other in segments.All)
        {
            if (other.First < segment.First)
                last = Math.Max(last, other.Last);
        }

        return last;
    }
}
