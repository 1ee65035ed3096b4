using Gateway.Client;

namespace Gateway.Loadtest.Clients;

/// <summary>Opens many sessions, some at a time, and notes when each was there.</summary>
internal sealed class SessionPool(RunContext context)
{
    private readonly Lock _lock = new();
    private readonly List<double> _openedAt = [];
    private string _firstRefusal = string.Empty;
    private int _count;

    public List<ClientSession> Sessions { get; } = [];

    public int Failed { get; private set; }

    /// <summary>Spent opening, over all calls.</summary>
    public double Seconds { get; private set; }

    public int Lost => Sessions.Count(session => !session.IsOpen);

    /// <summary>Sessions a second of a part of the bring-up, by the order in which they were there; NaN for fewer than
    /// two.</summary>
    public double Rate(int first, int count)
    {
        var last = Math.Min(first + count, _openedAt.Count) - 1;
        return last > first ? (last - first) / (_openedAt[last] - _openedAt[first]) : double.NaN;
    }

    /// <summary>Opens sessions until there are as many; a refused one is counted and not tried again, unless the server
    /// says when.</summary>
    public async Task OpenUpToAsync(int total)
    {
        var time = TimeProvider.System;
        var since = time.GetTimestamp();
        var before = Seconds;
        context.Progress.Begin("opening sessions", total, () => Volatile.Read(ref _count));
        var options = new ParallelOptions
        {
            MaxDegreeOfParallelism = context.Options.Concurrency,
            CancellationToken = context.Cancellation,
        };
        await Parallel.ForAsync(Sessions.Count + Failed, total, options, async (_, cancellation) =>
            await OpenOneAsync(() => before + time.GetElapsedTime(since).TotalSeconds, cancellation));
        Seconds = before + time.GetElapsedTime(since).TotalSeconds;
        if (context.Sessions.ComeBacks > 0)
            context.Report.Note(
                $"{context.Sessions.ComeBacks} tries so far were told to come back later (RetryAfterMs), and did");
        if (_firstRefusal.Length > 0)
            context.Report.Note($"{Failed} sessions refused; the first: {_firstRefusal}");
        if (Sessions.Count == 0)
            throw new InvalidOperationException($"no session could be opened: {_firstRefusal}");
    }

    public async Task CloseAsync()
    {
        var open = Sessions.Count;
        context.Progress.Begin("closing sessions", open, () => open - Volatile.Read(ref _count));
        var options = new ParallelOptions { MaxDegreeOfParallelism = context.Options.Concurrency };
        await Parallel.ForEachAsync(Sessions, options, async (session, cancellation) =>
        {
            await session.CloseAsync(cancellation: cancellation);
            Interlocked.Decrement(ref _count);
        });
    }

    private async Task OpenOneAsync(Func<double> seconds, CancellationToken cancellation)
    {
        try
        {
            var session = await context.Sessions.OpenAsync(cancellation);
            lock (_lock)
            {
                Sessions.Add(session);
                _openedAt.Add(seconds());
            }

            Interlocked.Increment(ref _count);
        }
        catch (ServiceException exception)
        {
            lock (_lock)
            {
                if (Failed++ == 0)
                    _firstRefusal = exception.Message;
            }
        }
    }
}
