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

    private readonly Dictionary<string, Share> _shares = [];
    private double _now;
    private long _number;

    public int Count => _waiting.Count;

    public WaitingRequest? Next => _waiting.Min;

    public void Add(WaitingRequest request)
    {
        if (!_shares.TryGetValue(KeyOf(request), out var share))
            _shares.Add(KeyOf(request), share = new Share());
        request.Place = (Math.Max(_now, share.End), ++_number);
        share.End = EndOf(request);
        share.Waiting++;
        _waiting.Add(request);
    }

    /// <summary>It goes, or nobody waits for it any more: then it costs its client nothing.</summary>
    /// <returns>Whether it was waiting.</returns>
    public bool Remove(WaitingRequest request, bool goes)
    {
        if (!_waiting.Remove(request))
            return false;
        var share = _shares[KeyOf(request)];
        share.Waiting--;
        if (goes)
            (_now, share.SentEnd) = (request.Place.Start, EndOf(request));
        if (share.Waiting == 0)
            share.End = share.SentEnd;
        if (_waiting.Count == 0)
            _shares.Clear();
        else if (_shares.Count > (2 * _waiting.Count) + 16)
            Forget();
        return true;
    }

    /// <summary>Clients whose last request is over: they begin now in any case.</summary>
    private void Forget()
    {
        foreach (var (client, share) in _shares)
        {
            if (share.Waiting == 0 && share.End <= _now)
                _shares.Remove(client);
        }
    }

    private static double EndOf(WaitingRequest request) =>
        request.Place.Start + RequestCost + request.Shape.Operations;

    private static string KeyOf(WaitingRequest request) => request.Client ?? string.Empty;

    /// <summary>Of one client.</summary>
    private sealed class Share
    {
        public int Waiting { get; set; }

        /// <summary>Where its last request ends.</summary>
        public double End { get; set; }

        /// <summary>Where the last one ends that went.</summary>
        public double SentEnd { get; set; }
    }
}
