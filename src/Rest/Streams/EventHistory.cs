using Gateway.Rest.Budgets;

namespace Gateway.Rest.Streams;

/// <summary>The last events of one stream, for a client that reconnects. Bounded by number and bytes, and with those of
/// all streams together; drops the oldest first. The events lie one behind the other in a ring that grows to the needed
/// size and stays: an array for each event would live for as many events as are kept, and each collection would move
/// it. One thread at a time.</summary>
/// <param name="maxEvents">Their number.</param>
/// <param name="maxBytes">Their bytes.</param>
/// <param name="memory">Counts the ring, until the stream ends; null: it is not counted.</param>
internal sealed class EventHistory(int maxEvents, int maxBytes, Holding? memory = null)
{
    private const int FirstBytes = 4 * 1024;

    private readonly Queue<int> _lengths = new();
    private byte[] _ring = [];
    private int _start;
    private int _bytes;

    /// <summary>The number of the last event; 0 before the first.</summary>
    public long Last { get; private set; }

    private long First => Last - _lengths.Count + 1;

    /// <param name="text">With its number in it: <see cref="Last"/> and one. It is copied.</param>
    public void Add(ReadOnlySpan<byte> text)
    {
        Last++;
        while (_lengths.Count > 0 && (_lengths.Count == maxEvents || text.Length > maxBytes - _bytes))
            Drop();
        // Too long: then there is none.
        if (text.Length > maxBytes || maxEvents == 0)
            return;
        if (text.Length > _ring.Length - _bytes && !TryGrow(_bytes + text.Length))
        {
            // A client that reconnects can do without the events: it gets all values again.
            while (_lengths.Count > 0 && text.Length > _ring.Length - _bytes)
                Drop();
            if (text.Length > _ring.Length)
                return;
        }

        var at = At((long)_start + _bytes);
        var first = Math.Min(text.Length, _ring.Length - at);
        text[..first].CopyTo(_ring.AsSpan(at));
        text[first..].CopyTo(_ring);
        _lengths.Enqueue(text.Length);
        _bytes += text.Length;
    }

    /// <summary>The events after that number. False: some of them were dropped, or there was no such event.</summary>
    public bool TryGetBehind(long number, out byte[][] events)
    {
        events = [];
        if (number < First - 1 || number > Last)
            return false;
        events = new byte[Last - number][];
        var (at, next) = (_start, events.Length - _lengths.Count);
        foreach (var length in _lengths)
        {
            // The client has those in front of the first that it missed.
            if (next >= 0)
                events[next] = Copy(at, length);
            next++;
            at = At((long)at + length);
        }

        return true;
    }

    private int At(long place) => (int)(place % _ring.Length);

    private void Drop()
    {
        var length = _lengths.Dequeue();
        _start = At((long)_start + length);
        _bytes -= length;
    }

    /// <summary>False: all streams together have no room for it.</summary>
    private bool TryGrow(int needed)
    {
        var length = Math.Min(maxBytes, Math.Max(Math.Max(FirstBytes, needed), 2L * _ring.Length));
        if (memory?.TryAddSpare(length - _ring.Length) == false)
            return false;
        var ring = new byte[length];
        Copy(_start, ring.AsSpan(0, _bytes));
        (_ring, _start) = (ring, 0);
        return true;
    }

    private byte[] Copy(int at, int length)
    {
        var text = new byte[length];
        Copy(at, text);
        return text;
    }

    private void Copy(int at, Span<byte> to)
    {
        var first = Math.Min(to.Length, _ring.Length - at);
        _ring.AsSpan(at, first).CopyTo(to);
        _ring.AsSpan(0, to.Length - first).CopyTo(to[first..]);
    }
}
