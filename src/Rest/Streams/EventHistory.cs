namespace Gateway.Rest.Streams;

/// <summary>The last events of one stream, for a client that comes back. Bounded by number and bytes; the oldest go
/// first. One thread at a time.</summary>
internal sealed class EventHistory(int maxEvents, int maxBytes)
{
    private readonly Queue<byte[]> _events = new();
    private long _bytes;

    /// <summary>The number of the last event; 0 before the first.</summary>
    public long Last { get; private set; }

    private long First => Last - _events.Count + 1;

    /// <param name="text">With its number in it: <see cref="Last"/> and one.</param>
    public void Add(byte[] text)
    {
        Last++;
        _bytes += text.Length;
        _events.Enqueue(text);
        while (_events.Count > maxEvents || _bytes > maxBytes)
            _bytes -= _events.Dequeue().Length;
    }

    /// <summary>What came behind an event. False: some of it is no longer there, or there was no such event.</summary>
    public bool TryGetBehind(long number, out byte[][] events)
    {
        var isWhole = number >= First - 1 && number <= Last;
        events = isWhole ? [.. _events.Skip((int)(number - First + 1))] : [];
        return isWhole;
    }
}
