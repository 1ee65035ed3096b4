namespace Gateway.Admission.Door;

/// <summary>
/// Connections that came when more were ahead of them than can be served within their patience. Each gets its error at
/// a moment of its own between a quarter and the whole of the patience, so that a storm's thousands do not reconnect in
/// one go. A connection that is served or leaves before stays here until its moment. Threads: any; its lock is a leaf.
/// </summary>
internal sealed class HopelessEntries(TimeProvider time, TimeSpan patience)
{
    private const double Earliest = 0.25;
    private const double GoldenRatio = 0.6180339887498949;

    private readonly Lock _lock = new();
    private readonly PriorityQueue<DoorEntry, long> _moments = new();
    private double _sequence;

    public void Add(DoorEntry entry)
    {
        lock (_lock)
        {
            _sequence = (_sequence + GoldenRatio) % 1;
            var seconds = patience.TotalSeconds * (Earliest + ((1 - Earliest) * _sequence));
            _moments.Enqueue(entry, time.GetTimestamp() + (long)(seconds * time.TimestampFrequency));
        }
    }

    /// <summary>One whose moment has come; null: none.</summary>
    public DoorEntry? TakeDue()
    {
        lock (_lock)
        {
            var isDue = _moments.TryPeek(out _, out var moment) && moment <= time.GetTimestamp();
            return isDue ? _moments.Dequeue() : null;
        }
    }
}
