using Gateway.Store.Files;

namespace Gateway.Store.Segments;

/// <summary>Reads the records of all segments in order. Threads: the disk's. Errors: those of the files; the next call
/// tries the same again.</summary>
internal sealed class SegmentReader(IStoreFiles files, SegmentList segments, long from) : IDisposable
{
    private Segment? _segment;
    private SegmentScan? _scan;

    /// <summary>All records below it were read, or are not there.</summary>
    public long Expected { get; private set; } = from;

    /// <summary>False: there is no segment to read, or it could not be opened.</summary>
    public bool IsOpen => _scan is not null;

    public int NeededBytes => _scan?.NeededBytes ?? 0;

    /// <summary>Reads on.</summary>
    /// <param name="buffer">Its beginning gets whole records. Those at <see cref="Expected"/> or above are new.</param>
    public ScanResult Read(byte[] buffer, out int length)
    {
        length = 0;
        _segment ??= segments.Find(Expected);
        if (_segment is not { } segment)
            return ScanResult.End;
        _scan ??= new SegmentScan(files.OpenToRead(segment.Name), segment.Salt);
        var result = _scan.Read(buffer, segment.Length, out length);
        if (result != ScanResult.End)
            return result;
        return MoveOn() ? ScanResult.Skipped : ScanResult.End;
    }

    /// <summary>The records before this number are done with.</summary>
    public void Pass(long expected) => Expected = Math.Max(Expected, expected);

    /// <summary>Gives the rest of a segment up that cannot be read. False: there is no later one.</summary>
    public bool MoveOn()
    {
        if (_segment is null || segments.After(_segment) is not { } next)
            return false;
        Dispose();
        _segment = next;
        return true;
    }

    /// <summary>Closes a segment that is about to be deleted: its room is free once nobody has it open.</summary>
    public void LetGo(Segment segment)
    {
        if (_segment != segment)
            return;
        Dispose();
        _segment = null;
    }

    public void Dispose()
    {
        _scan?.Dispose();
        _scan = null;
    }
}
