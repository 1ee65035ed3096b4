using Gateway.Rest.Budgets;

namespace Gateway.Rest.Streams;

/// <summary>The last events of one stream, for a client that reconnects. Bounded by number and bytes, and with those of
/// all streams together; drops the oldest first. One thread at a time.</summary>
/// <param name="maxEvents">Their number.</param>
/// <param name="maxBytes">Their bytes.</param>
/// <param name="memory">Of the stream; null: nobody counts them.</param>
internal sealed class EventHistory(int maxEvents, int maxBytes, Holding? memory = null)
{
    private readonly Queue<byte[]> _events = new();
    private long _bytes;
    private long _counted;

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
            Drop();
        if (memory is not null)
            Count(memory);
    }

    /// <summary>The events after that number. False: some of them were dropped, or there was no such event.</summary>
    public bool TryGetBehind(long number, out byte[][] events)
    {
        var isWhole = number >= First - 1 && number <= Last;
        events = isWhole ? [.. _events.Skip((int)(number - First + 1))] : [];
        return isWhole;
    }

    private void Drop() => _bytes -= _events.Dequeue().Length;

    /// <summary>A client that comes back can do without them: it gets all values again.</summary>
    private void Count(Holding held)
    {
        if (_bytes > _counted && held.TryAddSpare(_bytes - _counted))
            _counted = _bytes;
        while (_bytes > _counted)
            Drop();
        if (_bytes < _counted)
            held.Remove(_counted - _bytes);
        _counted = _bytes;
    }
}
