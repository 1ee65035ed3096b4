using Gateway.Codec.Types;
using Gateway.Transport.Hosting;

namespace Gateway.Server.Sessions;

/// <summary>A session's requests that wait for a source. Bounded by the caller's limit, and by the memory budget, also
/// for what their sources have answered: the session whose requests hold the most loses them (R04). Its lock is a leaf:
/// requests are abandoned outside it.</summary>
internal sealed class PendingRequests : IMemoryHolder
{
    private readonly Lock _lock = new();
    private readonly List<PendingRequest> _requests = [];
    private long _heldBytes;
    private volatile bool _isReleasing;

    /// <summary>That they count in.</summary>
    private volatile MemoryBudget? _memory;

    public long HeldBytes => Volatile.Read(ref _heldBytes);

    public bool IsEnding => _isReleasing;

    public int Count
    {
        get
        {
            lock (_lock)
                return _requests.Count;
        }
    }

    public bool TryAdd(PendingRequest request, int limit, MemoryBudget memory)
    {
        long held;
        lock (_lock)
        {
            if (_requests.Count >= limit || request.Session.IsClosed || _isReleasing)
                return false;
            _requests.Add(request);
            held = _heldBytes += request.HeldBytes;
        }

        _memory = memory;
        memory.Change(this, held - request.HeldBytes, held);
        return true;
    }

    /// <summary>For what a source has answered. False: the request has ended, or the budget takes it away.</summary>
    public bool TryHold(PendingRequest request, long bytes, MemoryBudget memory)
    {
        long held;
        lock (_lock)
        {
            if (_isReleasing || !_requests.Contains(request))
                return false;
            request.HeldBytes += bytes;
            held = _heldBytes += bytes;
        }

        memory.Change(this, held - bytes, held);
        return !_isReleasing;
    }

    public void Remove(PendingRequest request, MemoryBudget memory)
    {
        long held;
        lock (_lock)
        {
            if (!_requests.Remove(request))
                return;
            held = _heldBytes -= request.HeldBytes;
            if (_requests.Count == 0)
                _isReleasing = false;
        }

        memory.Change(this, held + request.HeldBytes, held);
    }

    /// <summary>The requests are abandoned on another thread: a sender's lock may be held here.</summary>
    public void ReleaseForBudget()
    {
        lock (_lock)
        {
            if (_isReleasing || _requests.Count == 0)
                return;
            _isReleasing = true;
        }

        ThreadPool.UnsafeQueueUserWorkItem(
            static self => self.AbandonAll(StatusCodes.BadOutOfMemory, self._memory), this, preferLocal: false);
    }

    /// <summary>Returns how many were still unanswered.</summary>
    public uint Cancel(uint requestHandle)
    {
        PendingRequest[] victims;
        lock (_lock)
            victims = [.. _requests.Where(request => request.Handle == requestHandle)];
        return Abandon(victims, StatusCodes.BadRequestCancelledByClient);
    }

    public void CloseAll() => AbandonAll(StatusCodes.BadSessionClosed);

    /// <param name="status">Of their faults.</param>
    /// <param name="memory">Counts them, before they are told; null: they end for another reason.</param>
    private void AbandonAll(StatusCode status, MemoryBudget? memory = null)
    {
        PendingRequest[] victims;
        lock (_lock)
            victims = [.. _requests];
        memory?.CountRefused((uint)victims.Length);
        Abandon(victims, status);
    }

    private static uint Abandon(PendingRequest[] victims, StatusCode status)
    {
        uint count = 0;
        foreach (var request in victims)
        {
            if (request.Abandon(status))
                count++;
        }

        return count;
    }
}
