namespace Gateway.Sources.OpcUa.Load;

/// <summary>
/// Waiting requests of one class. Those of a client keep their order; between clients each gets the same share, counted
/// in what its requests cost, whoever asks more often. A request begins where the client's last one ends, and not
/// before the one that went last: the smallest beginning is next (start-time fair queueing). Owner:
/// <see cref="RequestGate"/>, under its lock.
/// </summary>
internal sealed class FairQueue
{
    /// <summary>A request costs as much as so many values.</summary>
    private const double RequestCost = 10;

    private readonly SortedSet<WaitingRequest> _waiting = new(
        Comparer<WaitingRequest>.Create(static (a, b) => a.Place.CompareTo(b.Place)));

    /// <summary>Where the last request of a client ends, if that lies ahead.</summary>
    private readonly Dictionary<string, double> _ends = [];
    private double _now;
    private long _number;

    public int Count => _waiting.Count;

    public WaitingRequest? Next => _waiting.Min;

    public void Add(WaitingRequest request)
    {
        var start = Math.Max(_now, _ends.GetValueOrDefault(KeyOf(request)));
        request.Place = (start, ++_number);
        _ends[KeyOf(request)] = start + RequestCost + request.Shape.Operations;
        _waiting.Add(request);
    }

    /// <summary>It goes, or nobody waits for it any more.</summary>
    /// <returns>Whether it was waiting.</returns>
    public bool Remove(WaitingRequest request, bool goes)
    {
        if (!_waiting.Remove(request))
            return false;
        if (goes)
            _now = request.Place.Start;
        if (_waiting.Count == 0)
            _ends.Clear();
        else if (_ends.Count > (2 * _waiting.Count) + 16)
            Forget();
        return true;
    }

    /// <summary>Clients whose last request is over: they begin now in any case.</summary>
    private void Forget()
    {
        foreach (var (client, end) in _ends)
        {
            if (end <= _now)
                _ends.Remove(client);
        }
    }

    private static string KeyOf(WaitingRequest request) => request.Client ?? string.Empty;
}
