using System.Net;

namespace Gateway.Transport.Reverse;

/// <summary>Connections that have said whose they are, and wait until their upstream takes them: one of an address for
/// each server, <see cref="MaxWaiting"/> of a server, none longer than <see cref="MaxAge"/>. For one more the one goes
/// whose address had its turn last, be it the newcomer; where none had one, an older one makes room. So addresses that
/// come again and again push out nobody who has not been talked to. Threads: any.</summary>
/// <param name="time">Of their age.</param>
/// <param name="onEnd">Told of each that ends here; not under the lock.</param>
internal sealed class ReverseRoom(TimeProvider time, Action<ReverseGuest, ReverseOutcome> onEnd)
{
    /// <summary>Of one server: others may say that they are it.</summary>
    public const int MaxWaiting = 4;

    /// <summary>A server whose connection is closed opens the next one. One that has lost its power closes none.
    /// </summary>
    public static readonly TimeSpan MaxAge = TimeSpan.FromMinutes(1);

    private readonly Lock _lock = new();
    private Dictionary<string, ReverseQueue> _queues = new(StringComparer.Ordinal);
    private bool _isClosed;

    /// <summary>Those servers and no others are configured.</summary>
    public void Configure(IEnumerable<string> keys)
    {
        List<ReverseGuest> ended = [];
        lock (_lock)
        {
            var before = _queues;
            _queues = keys.Distinct(StringComparer.Ordinal).ToDictionary(
                static key => key, key => before.GetValueOrDefault(key) ?? new ReverseQueue(), StringComparer.Ordinal);
            foreach (var (key, queue) in before)
            {
                if (!_queues.ContainsKey(key))
                    ended.AddRange(queue.Waiting);
            }
        }

        ended.ForEach(one => End(one, ReverseOutcome.Unknown));
    }

    /// <returns>False: it is not configured.</returns>
    public bool TryPlace(string key, ReverseGuest guest)
    {
        List<(ReverseGuest, ReverseOutcome)> ended = [];
        lock (_lock)
        {
            if (_isClosed || !_queues.TryGetValue(key, out var queue))
                return false;
            RemoveUnderLock(queue, ended);
            if (queue.Of(guest.Address) is { } older)
                EvictUnderLock(queue, older, ended);
            var victim = queue.Waiting.Count >= MaxWaiting ? VictimUnderLock(queue, guest) : null;
            if (victim is not null)
                EvictUnderLock(queue, victim, ended);
            guest.WaitsSince = time.GetTimestamp();
            if (victim != guest)
                queue.Add(guest);
        }

        End(ended);
        return true;
    }

    /// <summary>The next connection of that server.</summary>
    /// <param name="key">Configured.</param>
    /// <param name="from">Of that address only; null: any.</param>
    /// <param name="cancellation">Ends the waiting.</param>
    public async ValueTask<ReverseConnection> TakeAsync(string key, IPAddress? from, CancellationToken cancellation)
    {
        while (true)
        {
            List<(ReverseGuest, ReverseOutcome)> ended = [];
            Task arrival;
            ReverseGuest? next;
            lock (_lock)
            {
                if (!_queues.TryGetValue(key, out var queue))
                    throw new InvalidOperationException($"{key} is not configured");
                RemoveUnderLock(queue, ended);
                next = from is null ? queue.TakeNext() : queue.TakeOf(from);
                arrival = queue.Arrival.Task;
            }

            End(ended);
            if (next is not null)
                return new ReverseConnection(next.Socket, next.Address);
            await arrival.WaitAsync(cancellation).ConfigureAwait(false);
        }
    }

    /// <summary>The server at that address has shown its certificate: it comes first, and is not pushed out.</summary>
    public void Prove(string key, IPAddress address)
    {
        lock (_lock)
            _queues.GetValueOrDefault(key)?.Prove(address);
    }

    /// <summary>Those that have gone, and those that have waited too long.</summary>
    public void Sweep()
    {
        List<(ReverseGuest, ReverseOutcome)> ended = [];
        lock (_lock)
        {
            foreach (var queue in _queues.Values)
                RemoveUnderLock(queue, ended);
        }

        End(ended);
    }

    public void Close()
    {
        lock (_lock)
            _isClosed = true;
        Configure([]);
    }

    private void RemoveUnderLock(ReverseQueue queue, List<(ReverseGuest, ReverseOutcome)> ended)
    {
        foreach (var guest in queue.Waiting.ToArray())
        {
            var isOld = time.GetElapsedTime(guest.WaitsSince) >= MaxAge;
            if (!isOld && guest.IsAlive)
                continue;
            queue.Remove(guest);
            ended.Add((guest, isOld ? ReverseOutcome.Expired : ReverseOutcome.Accepted));
        }
    }

    /// <summary>The one that had its turn last; of those with none the oldest of the address that has most in the whole
    /// room. Never that of the server itself, nor the one that is talked to.</summary>
    private ReverseGuest VictimUnderLock(ReverseQueue queue, ReverseGuest newcomer)
    {
        var held = _queues.Values.SelectMany(static one => one.Waiting).Append(newcomer)
            .CountBy(static one => one.Address).ToDictionary();
        return queue.Waiting.Append(newcomer).Where(one => !queue.IsKept(one))
            .MaxBy(one => (queue.TurnOf(one), held[one.Address]))!;
    }

    private static void EvictUnderLock(
        ReverseQueue queue, ReverseGuest guest, List<(ReverseGuest, ReverseOutcome)> ended)
    {
        queue.Remove(guest);
        ended.Add((guest, ReverseOutcome.Surplus));
    }

    private void End(List<(ReverseGuest Guest, ReverseOutcome Outcome)> ended) =>
        ended.ForEach(one => End(one.Guest, one.Outcome));

    /// <summary>One that has gone by itself was told of when it came.</summary>
    private void End(ReverseGuest guest, ReverseOutcome outcome)
    {
        guest.Socket.Dispose();
        if (outcome != ReverseOutcome.Accepted)
            onEnd(guest, outcome);
    }
}
