using System.Net.Sockets;
using Gateway.Client;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Loadtest.Clients;

namespace Gateway.Loadtest.Scenarios.Soak;

/// <summary>Comes, does one thing, goes, and comes again until the run is over. A refusal is counted and no fault: only
/// the good sessions have a right to be served beside it.</summary>
internal sealed class Visitor(SessionFactory sessions, Random random, SoakCounts counts)
{
    private const int LongestStayMs = 3000;

    /// <summary>Longer than the server's write deadline, some of the time.</summary>
    private const int LongestHoldMs = 12_000;

    private static readonly SoakAct[] Acts = Enum.GetValues<SoakAct>();

    public async Task RunAsync(CancellationToken end)
    {
        while (!end.IsCancellationRequested)
        {
            var act = Acts[random.Next(Acts.Length)];
            try
            {
                await DoAsync(act, end);
                counts.Done(act);
            }
            catch (Exception) when (end.IsCancellationRequested)
            {
                return;
            }
            catch (ServiceException refused)
            {
                counts.Refused(act, refused.Status.ToString());
            }
            catch (Exception refused) when (refused is SocketException or IOException or ObjectDisposedException)
            {
                counts.Refused(act, refused.GetType().Name);
            }

            // A server that refuses must not be asked without a pause.
            await PauseAsync(20, 200, CancellationToken.None);
        }
    }

    private Task DoAsync(SoakAct act, CancellationToken end) => act switch
    {
        SoakAct.Stay => StayAsync(end),
        SoakAct.Cut => CutAsync(end),
        SoakAct.HalfOpen => HalfOpenAsync(end),
        SoakAct.Flood => FloodAsync(end),
        SoakAct.SlowReader => SlowReaderAsync(end),
        _ => TransferAsync(end),
    };

    private async Task StayAsync(CancellationToken end)
    {
        await using var session = await sessions.OpenAsync(end);
        await SubscribeAsync(session, random.Next(1, 50), end);
        await PauseAsync(0, LongestStayMs, end);
    }

    private async Task CutAsync(CancellationToken end)
    {
        using var relay = new Relay(sessions.Url);
        var session = await sessions.OpenAsync(settings => settings with { EndpointUrl = relay.Url }, end);
        await SubscribeAsync(session, random.Next(1, 50), end);
        await PauseAsync(0, LongestStayMs, end);
        relay.Cut();
        session.Abort();
    }

    private async Task HalfOpenAsync(CancellationToken end)
    {
        var uri = new Uri(sessions.Url);
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(uri.Host, uri.Port, end);
        if (random.Next(2) == 0)
            await socket.SendAsync("HELF\u0040\0\0\0"u8.ToArray(), end);
        await PauseAsync(0, LongestStayMs, end);
    }

    private async Task FloodAsync(CancellationToken end)
    {
        await using var session = await sessions.OpenAsync(end);
        var (subscription, items) = await SubscribeAsync(session, 50, end);
        var flood = new Flood(session, subscription, items, random);
        for (var i = 0; i < 20 && !end.IsCancellationRequested; i++)
            await flood.BurstAsync(10, end);
    }

    private async Task SlowReaderAsync(CancellationToken end)
    {
        using var relay = new Relay(sessions.Url);
        var session = await sessions.OpenAsync(settings => settings with { EndpointUrl = relay.Url }, end);
        await SubscribeAsync(session, 200, end);
        relay.StopReading();
        await PauseAsync(0, LongestHoldMs, end);
        relay.GoOn();
        await PauseAsync(0, LongestStayMs, end);
        session.Abort();
    }

    /// <summary>Errors: ServiceException with the result of the transfer.</summary>
    private async Task TransferAsync(CancellationToken end)
    {
        await using var from = await sessions.OpenAsync(end);
        await using var to = await sessions.OpenAsync(end);
        var (subscription, _) = await SubscribeAsync(from, 20, end);
        await PauseAsync(0, 500, end);
        var response = await to.InvokeAsync<TransferSubscriptionsRequest, TransferSubscriptionsResponse>(
            new TransferSubscriptionsRequest { SubscriptionIds = [subscription.Id], SendInitialValues = true }, end);
        if (response.Results is not [var result])
            throw new ServiceException(StatusCodes.BadUnexpectedError, "one transfer, another number of results");
        if (result.StatusCode.IsBad)
            throw new ServiceException(result.StatusCode, "TransferSubscriptions");
        await PauseAsync(0, LongestStayMs, end);
    }

    private async Task<(ClientSubscription Subscription, uint[] Items)> SubscribeAsync(
        ClientSession session, int items, CancellationToken end)
    {
        var subscription = await session.CreateSubscriptionAsync(
            new SubscriptionSettings { PublishingIntervalMs = 100, LifetimeCount = 100 }, new IgnoredValues(), end);
        var requests = Enumerable.Range(0, items).Select(i => Flood.Item(sessions.Tag(i), (uint)i));
        var results = await subscription.CreateMonitoredItemsAsync([.. requests], TimestampsToReturn.Both, end);
        return (subscription, Array.ConvertAll(results, result => result.MonitoredItemId));
    }

    private Task PauseAsync(int leastMs, int mostMs, CancellationToken end) =>
        Task.Delay(random.Next(leastMs, mostMs), end);
}
