namespace Gateway.Publish.Sessions;

/// <summary>
/// The held Publish requests of a session, oldest first, in a ring that grows to its bound and stays there.
/// Owner: the session, under its gate.
/// </summary>
internal sealed class PublishRequestQueue(int capacity)
{
    private HeldPublishRequest[] _ring = new HeldPublishRequest[Math.Min(4, capacity)];
    private int _head;

    public int Count { get; private set; }

    /// <summary>Adds to the end. True when that pushed the oldest out of a full queue (R08).</summary>
    public bool Enqueue(in HeldPublishRequest request, out HeldPublishRequest oldest)
    {
        oldest = default;
        var full = Count == capacity;
        if (full)
            TryDequeue(out oldest);
        else if (Count == _ring.Length)
            Grow();
        _ring[IndexOf(Count++)] = request;
        return full;
    }

    public bool TryDequeue(out HeldPublishRequest request)
    {
        if (Count == 0)
        {
            request = default;
            return false;
        }

        request = _ring[_head];
        _ring[_head] = default;
        _head = IndexOf(1);
        Count--;
        return true;
    }

    /// <summary>Takes out the oldest whose deadline has passed.</summary>
    public bool TryRemoveExpired(long now, out HeldPublishRequest request)
    {
        for (var i = 0; i < Count; i++)
        {
            if (_ring[IndexOf(i)].Deadline <= now)
                return TryRemoveAt(i, out request);
        }

        request = default;
        return false;
    }

    /// <summary>Takes out the oldest with this handle.</summary>
    public bool TryRemove(uint requestHandle, out HeldPublishRequest request)
    {
        for (var i = 0; i < Count; i++)
        {
            if (_ring[IndexOf(i)].RequestHandle == requestHandle)
                return TryRemoveAt(i, out request);
        }

        request = default;
        return false;
    }

    /// <summary>By the id that it came with; it may have been answered already.</summary>
    public void Remove(uint requestId)
    {
        for (var i = 0; i < Count; i++)
        {
            if (_ring[IndexOf(i)].RequestId == requestId)
                TryRemoveAt(i, out _);
        }
    }

    /// <summary><see cref="long.MaxValue"/> when no request has a deadline.</summary>
    public long EarliestDeadline()
    {
        var earliest = long.MaxValue;
        for (var i = 0; i < Count; i++)
            earliest = Math.Min(earliest, _ring[IndexOf(i)].Deadline);
        return earliest;
    }

    private bool TryRemoveAt(int position, out HeldPublishRequest request)
    {
        request = _ring[IndexOf(position)];
        for (var i = position; i < Count - 1; i++)
            _ring[IndexOf(i)] = _ring[IndexOf(i + 1)];
        _ring[IndexOf(--Count)] = default;
        return true;
    }

    private int IndexOf(int position)
    {
        var index = _head + position;
        return index < _ring.Length ? index : index - _ring.Length;
    }

    private void Grow()
    {
        var grown = new HeldPublishRequest[Math.Min(2 * _ring.Length, capacity)];
        for (var i = 0; i < Count; i++)
            grown[i] = _ring[IndexOf(i)];
        _ring = grown;
        _head = 0;
    }
}
