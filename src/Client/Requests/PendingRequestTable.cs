namespace Gateway.Client.Requests;

/// <summary>
/// Requests by id in O(1): ids count up, so the id's low bits are the slot, and the table doubles where an old request
/// still holds it. Owner: one connection, under its lock. 4 slots at first: an idle client is small.
///</summary>
internal sealed class PendingRequestTable
{
    private const int MaxSlots = 1 << 16;

    private PendingRequest?[] _slots = new PendingRequest?[4];

    public int Count { get; private set; }

    /// <summary>False: the slot is taken by a request 65,536 ids older, and nothing was added.</summary>
    public bool TryAdd(PendingRequest request)
    {
        while (_slots[request.RequestId & (_slots.Length - 1)] is not null)
        {
            if (_slots.Length == MaxSlots)
                return false;
            Double();
        }

        _slots[request.RequestId & (_slots.Length - 1)] = request;
        Count++;
        return true;
    }

    public PendingRequest? Take(uint requestId)
    {
        ref var slot = ref _slots[requestId & (_slots.Length - 1)];
        if (slot is null || slot.RequestId != requestId)
            return null;
        var request = slot;
        slot = null;
        Count--;
        return request;
    }

    /// <summary>Moves requests past their deadline to <paramref name="expired"/>.</summary>
    /// <returns>The nearest deadline of the rest.</returns>
    public long TakeExpired(long now, List<PendingRequest> expired)
    {
        var nearest = long.MaxValue;
        foreach (ref var slot in _slots.AsSpan())
        {
            if (slot is null)
                continue;
            if (slot.Deadline > now)
            {
                nearest = Math.Min(nearest, slot.Deadline);
                continue;
            }

            expired.Add(slot);
            slot = null;
            Count--;
        }

        return nearest;
    }

    public PendingRequest[] TakeAll()
    {
        var all = new PendingRequest[Count];
        var index = 0;
        foreach (ref var slot in _slots.AsSpan())
        {
            if (slot is null)
                continue;
            all[index++] = slot;
            slot = null;
        }

        Count = 0;
        return all;
    }

    private void Double()
    {
        var old = _slots;
        _slots = new PendingRequest?[old.Length * 2];
        foreach (var request in old)
        {
            if (request is not null)
                _slots[request.RequestId & (_slots.Length - 1)] = request;
        }
    }
}
