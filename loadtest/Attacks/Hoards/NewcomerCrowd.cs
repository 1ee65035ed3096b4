using System.Diagnostics;
using Gateway.Client;
using Gateway.Loadtest.Clients;

namespace Gateway.Loadtest.Attacks.Hoards;

/// <summary>Clients that come a few at a time, each from an address of its own, are served and stay.</summary>
internal sealed class NewcomerCrowd(RunContext run, ClientFleet fleet, int certificates)
{
    private const int AtATime = 4;

    private readonly Lock _lock = new();
    private readonly List<ClientSession> _stayed = [];

    public int Served { get; private set; }

    public int Refused { get; private set; }

    public string? FirstRefusal { get; private set; }

    public double SlowestSeconds { get; private set; }

    public Task ComeAsync(int count, Func<ClientSession, CancellationToken, Task> serve)
    {
        var options = new ParallelOptions
        {
            MaxDegreeOfParallelism = AtATime,
            CancellationToken = run.Cancellation,
        };
        return Parallel.ForAsync(
            0, count, options, async (number, cancellation) => await ComeAsync(number, serve, cancellation));
    }

    public async Task LeaveAsync()
    {
        foreach (var session in _stayed)
            await session.DisposeAsync();
    }

    private async Task ComeAsync(
        int number, Func<ClientSession, CancellationToken, Task> serve, CancellationToken cancellation)
    {
        var since = Stopwatch.GetTimestamp();
        string? refusal = null;
        try
        {
            var session = await fleet.NewClient(number, number % certificates).ConnectAsync(
                run.Sessions.Endpoint, run.Sessions.Settings(), cancellation);
            lock (_lock)
                _stayed.Add(session);
            await serve(session, cancellation);
        }
        catch (ServiceException exception)
        {
            refusal = exception.Message;
        }

        var seconds = Stopwatch.GetElapsedTime(since).TotalSeconds;
        lock (_lock)
        {
            SlowestSeconds = Math.Max(SlowestSeconds, seconds);
            FirstRefusal ??= refusal;
            if (refusal is null)
                Served++;
            else
                Refused++;
        }
    }
}
