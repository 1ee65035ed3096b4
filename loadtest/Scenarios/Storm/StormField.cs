using Gateway.Client;
using Gateway.Loadtest.Clients;

namespace Gateway.Loadtest.Scenarios.Storm;

/// <summary>All clients of a storm write to it. Seconds count from its start. Threads: any.</summary>
internal sealed class StormField
{
    private readonly Lock _lock = new();
    private readonly TimeProvider _time = TimeProvider.System;
    private readonly long _start;
    private readonly Dictionary<string, long> _refusals = [];
    private readonly List<StormArrival> _arrivals = [];
    private readonly List<double> _hintsMs = [];
    private readonly List<double> _returns = [];
    private int _underWay;
    private int _active;
    private int _lost;
    private long _attempts;

    public StormField()
    {
        _start = _time.GetTimestamp();
    }

    public long Start => _start;

    /// <summary>Clients that connect or wait for the server just now.</summary>
    public int UnderWay => Volatile.Read(ref _underWay);

    public int Active => Volatile.Read(ref _active);

    /// <summary>Sessions that ended though no client closed them.</summary>
    public int Lost => Volatile.Read(ref _lost);

    public long Attempts => Volatile.Read(ref _attempts);

    public double Now => _time.GetElapsedTime(_start).TotalSeconds;

    /// <summary>The sessions, also those that were lost.</summary>
    public List<ClientSession> Sessions { get; } = [];

    /// <summary>By the time of their activation.</summary>
    public StormArrival[] Arrivals
    {
        get
        {
            lock (_lock)
                return [.. _arrivals.OrderBy(arrival => arrival.Seconds)];
        }
    }

    public (string Text, long Count)[] Refusals
    {
        get
        {
            lock (_lock)
                return [.. _refusals.Select(pair => (pair.Key, pair.Value)).OrderByDescending(pair => pair.Value)];
        }
    }

    /// <summary>The server's hints, in order.</summary>
    public double[] HintsMs
    {
        get
        {
            lock (_lock)
                return [.. _hintsMs.Order()];
        }
    }

    /// <summary>When clients that obeyed a hint came back.</summary>
    public double[] Returns
    {
        get
        {
            lock (_lock)
                return [.. _returns];
        }
    }

    public void Begin(bool afterHint)
    {
        Interlocked.Increment(ref _underWay);
        Interlocked.Increment(ref _attempts);
        if (!afterHint)
            return;
        lock (_lock)
            _returns.Add(Now);
    }

    /// <summary>The subscription, where the client wants one, exists as well.</summary>
    public void BecameActive(ClientSession session, int attempts, bool isKnown)
    {
        lock (_lock)
        {
            Sessions.Add(session);
            _arrivals.Add(new StormArrival(Now, attempts, isKnown));
        }

        Interlocked.Decrement(ref _underWay);
        Interlocked.Increment(ref _active);
    }

    public void Refused(ConnectAttempt attempt)
    {
        Interlocked.Decrement(ref _underWay);
        lock (_lock)
        {
            _refusals[attempt.Refusal] = _refusals.GetValueOrDefault(attempt.Refusal) + 1;
            if (attempt.RetryAfter is { } hint)
                _hintsMs.Add(hint.TotalMilliseconds);
        }
    }

    /// <summary>The run's end came first: no failure.</summary>
    public void Stopped() => Interlocked.Decrement(ref _underWay);

    public void WasLost()
    {
        Interlocked.Decrement(ref _active);
        Interlocked.Increment(ref _lost);
    }
}
