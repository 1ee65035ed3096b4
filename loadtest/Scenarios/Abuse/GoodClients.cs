using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Loadtest.Clients;

namespace Gateway.Loadtest.Scenarios.Abuse;

/// <summary>Clients that come, read, go and come again, and obey the hints of refusals.</summary>
internal sealed class GoodClients(RunContext run, ClientFleet fleet, int count)
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan Backoff = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(30);

    private readonly TimeProvider _time = TimeProvider.System;

    /// <summary>Null: nothing is measured. Attempts that began before are not counted.</summary>
    public volatile GoodCounts? Counts;

    public Task RunAsync(CancellationToken end)
    {
        var running = new Task[count];
        for (var i = 0; i < count; i++)
            running[i] = LiveAsync(i, end);
        return Task.WhenAll(running);
    }

    private async Task LiveAsync(int number, CancellationToken end)
    {
        var client = fleet.NewClient(number, number);
        await PauseAsync(TimeSpan.FromMilliseconds(
            Random.Shared.NextDouble() * run.Get(FairnessScenario.Stay)), end);
        while (!end.IsCancellationRequested)
        {
            if (await ComeAsync(client, end) is { } session)
                await ReadAsync(session, end);
            await PauseAsync(
                TimeSpan.FromMilliseconds(run.Get(FairnessScenario.Away) * (0.5 + Random.Shared.NextDouble())), end);
        }
    }

    /// <returns>Null: the run's end came first.</returns>
    private async Task<ClientSession?> ComeAsync(UaClient client, CancellationToken end)
    {
        var counts = Counts;
        var since = _time.GetTimestamp();
        var isLate = false;
        while (!end.IsCancellationRequested)
        {
            var attempt = await ConnectAttempt.RunAsync(fleet, client, Patience, end);
            if (attempt.Session is { } session)
            {
                counts?.Active(_time.GetElapsedTime(since).TotalMilliseconds);
                return session;
            }

            if (end.IsCancellationRequested)
                break;
            counts?.Refused(attempt.Refusal);
            if (!isLate && _time.GetElapsedTime(since) > Longest)
            {
                isLate = true;
                counts?.Never();
            }

            await PauseAsync(attempt.RetryAfter ?? Backoff, end);
        }

        return null;
    }

    private async Task ReadAsync(ClientSession session, CancellationToken end)
    {
        var request = new ReadRequest
        {
            NodesToRead = [new ReadValueId { NodeId = run.Sessions.Tag(0), AttributeId = (uint)AttributeId.Value }],
        };
        var until = _time.GetTimestamp() + (long)(
            run.Get(FairnessScenario.Stay) / 1000.0 * _time.TimestampFrequency);
        try
        {
            while (!end.IsCancellationRequested && _time.GetTimestamp() < until)
            {
                var counts = Counts;
                var since = _time.GetTimestamp();
                await session.InvokeAsync<ReadRequest, ReadResponse>(request, CancellationToken.None);
                counts?.Reads.Add(_time.GetElapsedTime(since).TotalMilliseconds);
                await PauseAsync(TimeSpan.FromMilliseconds(run.Get(FairnessScenario.ReadEvery)), end);
            }
        }
        catch (ServiceException)
        {
            Counts?.Lost();
        }

        await session.CloseAsync(cancellation: CancellationToken.None);
    }

    private static async Task PauseAsync(TimeSpan time, CancellationToken end) =>
        await Task.Delay(time, end).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
}
