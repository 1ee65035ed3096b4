using Gateway.Client;
using Gateway.Loadtest.Clients;

namespace Gateway.Loadtest.Scenarios.Abuse;

/// <summary>Creates sessions and never activates them, as many as it can hold; a closed one is created again.</summary>
internal sealed class SessionFlood : Flood
{
    private const int AtATime = 16;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(50);

    private readonly SessionFactory _sessions;
    private readonly ClientFleet _fleet;
    private readonly int _places;
    private readonly int _addresses;
    private readonly int _certificates;
    private readonly HandshakeRelay _relay;
    private int _number;

    /// <param name="sessions">Knows the server.</param>
    /// <param name="fleet">Its clients go through a relay to it.</param>
    /// <param name="target">The server.</param>
    /// <param name="places">Most sessions that it holds.</param>
    /// <param name="addresses">The server sees so many.</param>
    /// <param name="certificates">And so many of the fleet's.</param>
    public SessionFlood(
        SessionFactory sessions, ClientFleet fleet, WireTarget target, int places, int addresses, int certificates)
    {
        (_sessions, _fleet, _places) = (sessions, fleet, places);
        (_addresses, _certificates) = (addresses, certificates);
        _relay = new HandshakeRelay(target, HandshakePoint.SessionCreated, holds: true, addresses);
    }

    public override int Held => _relay.Held;

    public override long Served => _relay.Reached;

    public override async Task RunAsync(double seconds, CancellationToken cancellation)
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        end.CancelAfter(TimeSpan.FromSeconds(seconds));
        var running = new Task[AtATime];
        for (var i = 0; i < AtATime; i++)
            running[i] = TakeAsync(end.Token);
        await Task.WhenAll(running);
    }

    public override void Dispose()
    {
        _relay.Dispose();
        base.Dispose();
    }

    private async Task TakeAsync(CancellationToken end)
    {
        while (!end.IsCancellationRequested)
        {
            if (Held >= _places)
            {
                await Task.Delay(Pause, end).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                continue;
            }

            Attempt();
            var reached = _relay.Reached;
            Answered(await CreateAsync(end));
            if (_relay.Reached == reached)
                await Task.Delay(Pause, end).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    /// <summary>The relay cuts the client off once the server has created the session.</summary>
    private async Task<string> CreateAsync(CancellationToken end)
    {
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(end);
        patience.CancelAfter(Patience);
        var number = Interlocked.Increment(ref _number);
        try
        {
            var session = await _fleet.NewClient(number % _addresses, number % _certificates).ConnectAsync(
                _sessions.Endpoint, _sessions.Settings() with { EndpointUrl = _relay.Url }, patience.Token);
            session.Abort();
            return "active";
        }
        catch (ServiceException cut) when (cut.IsConnectionLost)
        {
            return "created, or the connection ended";
        }
        catch (ServiceException refused)
        {
            return ConnectAttempt.Plain(refused.Message);
        }
        catch (OperationCanceledException)
        {
            return ConnectAttempt.OutOfPatience;
        }
    }
}
