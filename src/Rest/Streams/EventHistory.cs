using Gateway.Rest.Budgets;

namespace Gateway.Rest.Streams;

/// <summary>The last events of one stream, for a client that comes back. Bounded by number and bytes; the oldest go
/// first. The events lie one behind the other in a ring that grows to what is needed and stays: an array for each event
/// would live for as many events as are kept, and each collection would move it. One thread at a time.</summary>
internal sealed class EventHistory(int maxEvents, int maxBytes)
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
        if (text.Length > _ring.Length - _bytes)
            Grow(_bytes + text.Length);
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

    private void Grow(int needed)
    {
        var ring = new byte[Math.Min(maxBytes, Math.Max(Math.Max(FirstBytes, needed), 2L * _ring.Length))];
        Copy(_start, ring.AsSpan(0, _bytes));
        (_ring, _start) = (ring, 0);
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
