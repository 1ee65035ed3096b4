using Gateway.Codec.Types;

namespace Gateway.Server.Sessions;

/// <summary>A session's requests that wait for a source. Bounded by the caller's limit. Its lock is a leaf: requests
/// are abandoned outside it.</summary>
internal sealed class PendingRequests
{
    private readonly Lock _lock = new();
    private readonly List<PendingRequest> _requests = [];

    public int Count
    {
        get
        {
            lock (_lock)
                return _requests.Count;
        }
    }

    public bool TryAdd(PendingRequest request, int limit)
    {
        lock (_lock)
        {
            if (_requests.Count >= limit || request.Session.IsClosed)
                return false;
            _requests.Add(request);
            return true;
        }
    }

    public void Remove(PendingRequest request)
    {
        lock (_lock)
            _requests.Remove(request);
    }

    /// <summary>Returns how many were still unanswered.</summary>
    public uint Cancel(uint requestHandle)
    {
        PendingRequest[] victims;
        lock (_lock)
            victims = [.. _requests.Where(request => request.Handle == requestHandle)];
        return Abandon(victims, StatusCodes.BadRequestCancelledByClient);
    }

    public void CloseAll()
    {
        PendingRequest[] victims;
        lock (_lock)
            victims = [.. _requests];
        Abandon(victims, StatusCodes.BadSessionClosed);
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
