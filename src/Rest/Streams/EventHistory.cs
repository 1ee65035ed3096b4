namespace Gateway.Rest.Streams;

/// <summary>The last events of one stream, for a client that reconnects. Bounded by number and bytes; drops the oldest
/// first. One thread at a time.</summary>
internal sealed class EventHistory(int maxEvents, int maxBytes)
{
    private readonly Queue<byte[]> _events = new();
    private long _bytes;

    /// <summary>The number of the last event; 0 before the first.</summary>
    public long Last { get; private set; }

    private long First => Last - _events.Count + 1;

    /// <param name="text">Contains its number: <see cref="Last"/> + 1.</param>
    public void Add(byte[] text)
    {
        Last++;
        _bytes += text.Length;
        _events.Enqueue(text);
        while (_events.Count > maxEvents || _bytes > maxBytes)
            _bytes -= _events.Dequeue().Length;
    }

    /// <summary>The events after that number. False: some of them were dropped, or there was no such event.</summary>
    public bool TryGetBehind(long number, out byte[][] events)
    {
        var isWhole = number >= First - 1 && number <= Last;
        events = isWhole ? [.. _events.Skip((int)(number - First + 1))] : [];
        return isWhole;
    }
}
