using Gateway.Store.Files;

namespace Gateway.Store.Segments;

/// <summary>Appends to the newest segment and begins the next one. It never continues a segment of an earlier run.
/// Threads: the disk's. Errors: those of the files; the same bytes can be written again.</summary>
internal sealed class SegmentWriter(
    IStoreFiles files, SegmentList segments, uint salt, int segmentBytes, bool sync) : IDisposable
{
    private readonly byte[] _header = new byte[SegmentHeader.Bytes];
    private IStoreFile? _file;
    private bool _isTorn;

    /// <summary>The one that grows; null: the next write begins one.</summary>
    public Segment? Current { get; private set; }

    /// <summary>It has bytes that the disk was not asked to keep.</summary>
    public bool IsDirty { get; private set; }

    public void Write(ReadOnlySpan<byte> records, long first, long last, long ticks)
    {
        // Whole records of a write that failed would stand behind the next ones, although those replace them.
        if (_isTorn)
            _file!.SetLength(Current!.Length);
        _isTorn = false;
        if (Current is { } full && full.Length >= segmentBytes)
            End();
        if (Current is null)
            Begin(first, ticks);
        var segment = Current!;
        IsDirty = true;
        _isTorn = true;
        _file!.Write(records, segment.Length);
        _isTorn = false;
        segments.Grow(segment, records.Length, last);
    }

    public void Sync()
    {
        if (!IsDirty)
            return;
        _file!.Sync();
        IsDirty = false;
    }

    /// <summary>The next write begins a segment.</summary>
    public void Dispose()
    {
        _file?.Dispose();
        (_file, Current, IsDirty, _isTorn) = (null, null, false, false);
    }

    private void End()
    {
        if (sync)
            Sync();
        Dispose();
    }

    private void Begin(long first, long ticks)
    {
        var segment = new Segment(SegmentHeader.NameOf(first), first) { Ticks = ticks, Salt = salt };
        SegmentHeader.Write(_header, segment);
        var file = files.OpenToWrite(segment.Name);
        try
        {
            // Left by a process that was killed before it wrote a record.
            if (file.Length > 0)
                file.SetLength(0);
            file.Write(_header, 0);
            if (sync)
                files.SyncNames();
        }
        catch
        {
            file.Dispose();
            throw;
        }

        segment.Length = SegmentHeader.Bytes;
        segments.Add(segment);
        (_file, Current) = (file, segment);
    }
}
