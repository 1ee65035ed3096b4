using Gateway.Admission.Caps;

namespace Gateway.Sources.OpcUa.Load;

/// <summary>The requests that wait for their turn, by class, by client and by age. Those of clients are limited
/// (R46). Owner: <see cref="RequestGate"/>, under its lock.</summary>
internal sealed class WaitingRequests(UpstreamLimits limits, TimeProvider time)
{
    /// <summary>Then one of the others goes: a flood of writes stops nobody for good.</summary>
    private const int MostInARow = 9;

    private readonly FairQueue[] _queues = [new(), new(), new()];
    private readonly LinkedList<WaitingRequest> _byAge = new();
    private readonly Dictionary<string, int> _held = [];
    private int _inARow;

    public int Count => _queues[0].Count + _queues[1].Count + _queues[2].Count;

    public bool HasRoomFor(string client) =>
        new FairCap(limits.MaxUpstreamWaitingRequests).Judge(_byAge.Count + 1, _held.GetValueOrDefault(client))
            == CapVerdict.Granted;

    public WaitingRequest Add(RequestShape shape, string? client)
    {
        var request = new WaitingRequest(shape, client, time.GetTimestamp());
        _queues[(int)shape.Class].Add(request);
        if (client is not null)
        {
            request.Age = _byAge.AddLast(request);
            _held[client] = _held.GetValueOrDefault(client) + 1;
        }

        return request;
    }

    /// <summary>The next of each class, the one whose turn it is first.</summary>
    public IEnumerable<WaitingRequest> InOrder()
    {
        var isTheirTurn = _inARow >= MostInARow;
        for (var i = 0; i < _queues.Length; i++)
        {
            if (_queues[isTheirTurn ? _queues.Length - 1 - i : i].Next is { } next)
                yield return next;
        }
    }

    /// <param name="request">Perhaps no longer waiting.</param>
    /// <param name="goes">It is its turn.</param>
    /// <returns>Whether it was waiting.</returns>
    public bool Remove(WaitingRequest request, bool goes)
    {
        if (!_queues[(int)request.Shape.Class].Remove(request, goes))
            return false;
        if (request is { Client: { } client, Age: { } age })
        {
            _byAge.Remove(age);
            if (--_held[client] == 0)
                _held.Remove(client);
        }

        if (goes)
            _inARow = HasAfter(request.Shape.Class) ? _inARow + 1 : 0;
        return true;
    }

    /// <summary>Those of clients that have waited so long, the oldest first.</summary>
    public List<WaitingRequest> TakeClients(TimeSpan atLeast)
    {
        List<WaitingRequest> taken = [];
        while (_byAge.First?.Value is { } oldest && time.GetElapsedTime(oldest.Since) >= atLeast)
        {
            Remove(oldest, goes: false);
            taken.Add(oldest);
        }

        return taken;
    }

    /// <summary>Null: no client waits.</summary>
    public TimeSpan? UntilFirst(TimeSpan patience)
    {
        if (_byAge.First?.Value is not { } oldest)
            return null;
        var left = patience - time.GetElapsedTime(oldest.Since);
        return left > TimeSpan.FromMilliseconds(1) ? left : TimeSpan.FromMilliseconds(1);
    }

    private bool HasAfter(RequestClass one)
    {
        for (var i = (int)one + 1; i < _queues.Length; i++)
        {
            if (_queues[i].Count > 0)
                return true;
        }

        return false;
    }
}
