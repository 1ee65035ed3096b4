using Gateway.Store.Records;

namespace Gateway.Store.Segments;

/// <summary>One segment as it is walked through from its beginning, and where its pieces are. Owner:
/// <see cref="BackwardReader"/>. Errors: those of the file.</summary>
internal sealed class BackwardWalk(Segment segment, SegmentScan scan) : IDisposable
{
    private readonly List<Piece> _pieces = [];

    public Segment Segment => segment;

    public int NeededBytes => scan.NeededBytes;

    /// <summary>Whole records that fit a block.</summary>
    public readonly record struct Piece(long Offset, int Length, long First, long Last);

    /// <summary>All records up to this one were passed.</summary>
    public bool HasPassed(long sequence) => _pieces.Count > 0 && _pieces[^1].Last >= sequence;

    /// <summary>One piece more, or damaged bytes that are passed over.</summary>
    /// <param name="walked">Bytes that were passed.</param>
    public ScanResult Step(byte[] buffer, out long walked)
    {
        var offset = scan.Offset;
        var result = scan.Read(buffer, segment.Length, out var length);
        if (result == ScanResult.Records)
            _pieces.Add(PieceOf(buffer.AsSpan(0, length), offset));
        walked = scan.Offset - offset;
        return result;
    }

    /// <summary>The piece that may have this record; false: those that begin before it are gone.</summary>
    public bool TryFind(long sequence, out Piece piece)
    {
        var at = IndexOf(sequence);
        piece = at < 0 ? default : _pieces[at];
        return at >= 0;
    }

    public bool IsWhole(byte[] buffer, in Piece piece) => scan.IsWhole(buffer, piece.Offset, piece.Length);

    /// <summary>It is damaged by now.</summary>
    public void Forget(in Piece piece) => _pieces.Remove(piece);

    public void Dispose() => scan.Dispose();

    private int IndexOf(long sequence) => _pieces.FindLastIndex(piece => piece.First <= sequence);

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
}
