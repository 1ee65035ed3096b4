using Gateway.Store.Files;
using Gateway.Store.Records;

namespace Gateway.Store.Segments;

/// <summary>
/// Reads the records of segments from the newest on. A segment can be walked through in one direction only: this is
/// done once to learn where its pieces begin, and these are then read backwards. Threads: the disk's. Errors: those of
/// the files; the next call tries the same again.
/// </summary>
internal sealed class BackwardReader(IStoreFiles files, SegmentList segments) : IDisposable
{
    private readonly List<Piece> _pieces = [];
    private Segment? _segment;
    private SegmentScan? _scan;

    public int NeededBytes { get; private set; }

    /// <param name="sequence">The newest record that is wanted.</param>
    /// <param name="buffer">Its beginning gets the piece that has it, of whole records.</param>
    /// <param name="length">Of the piece.</param>
    /// <param name="below">With <see cref="ScanResult.End"/>: the newest record below it that may be there; those
    /// between are not.</param>
    public ScanResult Read(long sequence, byte[] buffer, out int length, out long below)
    {
        (length, below) = (0, 0);
        if (segments.Find(sequence) is not { } segment)
        {
            below = segments.All.Count > 0 ? segments.All[^1].Last : 0;
            return ScanResult.End;
        }

        Open(segment);
        if (!TryWalkTo(sequence, buffer))
            return ScanResult.NeedsRoom;
        var at = _pieces.FindLastIndex(piece => piece.First <= sequence);
        if (at < 0)
        {
            below = Math.Min(sequence - 1, LastBefore(segment));
            return ScanResult.End;
        }

        var its = _pieces[at];
        if (its.Last < sequence)
        {
            below = its.Last;
            return ScanResult.End;
        }

        if (its.Length > buffer.Length)
        {
            NeededBytes = its.Length;
            return ScanResult.NeedsRoom;
        }

        if (_scan!.IsWhole(buffer, its.Offset, its.Length))
        {
            length = its.Length;
            return ScanResult.Records;
        }

        // It was there when the segment was walked through.
        _pieces.RemoveAt(at);
        below = its.First - 1;
        return ScanResult.End;
    }

    /// <summary>The newest record of the segments before the one that has this one and cannot be read.</summary>
    public long GiveUp(long sequence)
    {
        Dispose();
        return segments.Find(sequence) is { } segment ? Math.Min(sequence - 1, LastBefore(segment)) : sequence - 1;
    }

    public void Dispose()
    {
        _scan?.Dispose();
        (_scan, _segment) = (null, null);
        _pieces.Clear();
    }

    private void Open(Segment segment)
    {
        if (_segment == segment)
            return;
        Dispose();
        _scan = new SegmentScan(files.OpenToRead(segment.Name), segment.Salt);
        _segment = segment;
    }

    /// <summary>False: a record needs a larger buffer.</summary>
    private bool TryWalkTo(long sequence, byte[] buffer)
    {
        while (_pieces.Count == 0 || _pieces[^1].Last < sequence)
        {
            var offset = _scan!.Offset;
            switch (_scan.Read(buffer, _segment!.Length, out var length))
            {
                case ScanResult.Records:
                    _pieces.Add(PieceOf(buffer.AsSpan(0, length), offset));
                    break;
                case ScanResult.NeedsRoom:
                    NeededBytes = _scan.NeededBytes;
                    return false;
                case ScanResult.End:
                    return true;
            }
        }

        return true;
    }

    private static Piece PieceOf(ReadOnlySpan<byte> records, long offset)
    {
        var (first, last) = (long.MaxValue, 0L);
        for (var rest = records; rest.Length > 0;)
        {
            var header = RecordHeader.Read(rest);
            (first, last) = (Math.Min(first, header.Sequence), Math.Max(last, header.Sequence));
            rest = rest[header.Size..];
        }

        return new Piece(offset, records.Length, first, last);
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

    /// <summary>Whole records that fit a block.</summary>
    private readonly record struct Piece(long Offset, int Length, long First, long Last);
}
