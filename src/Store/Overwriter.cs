using Gateway.Store.Files;
using Gateway.Store.Records;
using Gateway.Store.Segments;

namespace Gateway.Store;

/// <summary>Reads a segment that makes room, so that the gap says how many records of which writer are lost. Threads:
/// the disk's.</summary>
internal sealed class Overwriter(IStoreFiles files, LogBook book)
{
    public void Lose(Segment segment)
    {
        if (book.IsDone(segment.First, segment.Last))
            return;
        try
        {
            LoseRecords(segment);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Records that cannot be read are lost all the same; their writers are unknown.
        }

        book.Lose(GapReason.Overwritten, segment.First, segment.Last, segment.Ticks > 0 ? segment.Ticks : null);
    }

    private void LoseRecords(Segment segment)
    {
        using var scan = new SegmentScan(files.OpenToRead(segment.Name), segment.Salt);
        using var buffer = new ScanBuffer();
        while (scan.Read(buffer.Array, segment.Length, out var length) is var result and not ScanResult.End)
        {
            if (result == ScanResult.NeedsRoom)
                buffer.Grow(scan.NeededBytes);
            for (var at = 0; at < length;)
            {
                var header = RecordHeader.Read(buffer.Array.AsSpan(at));
                book.Lose(GapReason.Overwritten, header.Sequence, header.Sequence, header.Ticks, header.Writer);
                at += header.Size;
            }
        }
    }
}
