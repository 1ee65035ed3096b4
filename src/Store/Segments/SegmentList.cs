using Gateway.Store.Files;

namespace Gateway.Store.Segments;

/// <summary>The segments of a directory, oldest first. Threads: the disk's; <see cref="TotalBytes"/> and
/// <see cref="TicksOf"/>: any.</summary>
internal sealed class SegmentList(IStoreFiles files)
{
    private readonly List<Segment> _segments = [];
    private readonly Lock _lock = new();
    private long _totalBytes;

    public IReadOnlyList<Segment> All => _segments;

    public long TotalBytes => Volatile.Read(ref _totalBytes);

    public void Add(Segment segment)
    {
        lock (_lock)
            _segments.Add(segment);
        Interlocked.Add(ref _totalBytes, segment.Length);
    }

    public void Grow(Segment segment, int bytes, long last)
    {
        (segment.Length, segment.Last) = (segment.Length + bytes, last);
        Interlocked.Add(ref _totalBytes, bytes);
    }

    /// <exception cref="IOException">It cannot be deleted, and stays.</exception>
    public void Delete(Segment segment)
    {
        files.Delete(segment.Name);
        lock (_lock)
            _segments.Remove(segment);
        Interlocked.Add(ref _totalBytes, -segment.Length);
    }

    /// <summary>The one that has this record if any has it; else the next one; null: there is none.</summary>
    public Segment? Find(long sequence)
    {
        foreach (var segment in _segments)
        {
            if (segment.Last >= sequence)
                return segment;
        }

        return null;
    }

    public Segment? After(Segment segment)
    {
        foreach (var other in _segments)
        {
            if (other.First > segment.First)
                return other;
        }

        return null;
    }

    /// <summary>Time of the first record of the segment that has this one; null: none has it.</summary>
    public long? TicksOf(long sequence)
    {
        lock (_lock)
            return Find(sequence)?.Ticks;
    }
}
