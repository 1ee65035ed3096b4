using Gateway.Store.Files;
using Gateway.Store.Records;

namespace Gateway.Store.Segments;

/// <summary>Finds the segments of a directory when a log is opened. Only the newest one is read: the others end where
/// the next one begins.</summary>
internal static class SegmentRecovery
{
    /// <param name="salt">Of segments whose head is damaged; null: taken from one that is whole.</param>
    /// <exception cref="StoreException">Another version wrote a segment.</exception>
    public static SegmentList Recover(IStoreFiles files, ref uint? salt)
    {
        List<Segment> found = [];
        foreach (var name in files.List())
        {
            if (SegmentHeader.TryParse(name, out var first))
                found.Add(new Segment(name, first));
        }

        found.Sort((one, other) => one.First.CompareTo(other.First));
        var damaged = found.FindAll(segment => !ReadHeader(files, segment));
        salt ??= found.Except(damaged).LastOrDefault()?.Salt;
        foreach (var segment in damaged)
            segment.Salt = salt ?? 0;
        return Link(files, found);
    }

    private static bool ReadHeader(IStoreFiles files, Segment segment)
    {
        using var file = files.OpenToRead(segment.Name);
        segment.Length = file.Length;
        Span<byte> bytes = stackalloc byte[SegmentHeader.Bytes];
        return SegmentHeader.TryRead(bytes[..file.Read(bytes, 0)], segment);
    }

    private static SegmentList Link(IStoreFiles files, List<Segment> found)
    {
        var segments = new SegmentList(files);
        for (var i = 0; i < found.Count; i++)
        {
            var segment = found[i];
            if (i + 1 < found.Count)
                segment.Last = found[i + 1].First - 1;
            else if (!TryCutEnd(files, segment))
                continue;
            segments.Add(segment);
        }

        return segments;
    }

    /// <summary>Cuts a torn record off. False: there is no whole record in the segment.</summary>
    private static bool TryCutEnd(IStoreFiles files, Segment segment)
    {
        var end = FindEnd(files, segment);
        try
        {
            if (end == 0)
            {
                files.Delete(segment.Name);
                return false;
            }

            if (end < segment.Length)
            {
                using var file = files.OpenToWrite(segment.Name);
                file.SetLength(end);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // A directory that can only be read keeps the torn record; nothing reads it.
        }

        segment.Length = end;
        return end > 0;
    }

    private static long FindEnd(IStoreFiles files, Segment segment)
    {
        var end = 0L;
        using var scan = new SegmentScan(files.OpenToRead(segment.Name), segment.Salt);
        using var buffer = new ScanBuffer();
        while (scan.Read(buffer.Array, segment.Length, out var length) is var result and not ScanResult.End)
        {
            if (result == ScanResult.NeedsRoom)
                buffer.Grow(scan.NeededBytes);
            for (var at = 0; at < length;)
            {
                var header = RecordHeader.Read(buffer.Array.AsSpan(at));
                segment.Last = Math.Max(segment.Last, header.Sequence);
                at += header.Size;
            }

            if (length > 0)
                end = scan.Offset;
        }

        return end;
    }
}
