using Gateway.Client;
using Gateway.Loadtest.Clients;

namespace Gateway.Loadtest.Observers;

/// <summary>A well-behaved newcomer every so often: connects, obeys the retry hint, and leaves a second after it became
/// active. Threads: one begins, any end.</summary>
internal sealed class NewcomerProbe(ClientFleet fleet, LiveSettings settings, long start)
{
    /// <summary>At most so many at a time: then newcomers are few because the server takes none.</summary>
    private const int MaxUnderWay = 50;
    private const int Addresses = 250;
    private static readonly TimeSpan Stay = TimeSpan.FromSeconds(1);

    private readonly Lock _lock = new();
    private readonly List<Newcomer> _done = [];
    private readonly List<Task> _underWay = [];
    private readonly TimeProvider _time = TimeProvider.System;

    /// <param name="certificates">So many from number 0.</param>
    /// <param name="end">No more begin; those under way have their patience once more.</param>
    public async Task<Newcomer[]> RunAsync(int certificates, CancellationToken end)
    {
        for (var number = 0; !end.IsCancellationRequested; number++)
        {
            _underWay.RemoveAll(task => task.IsCompleted);
            if (_underWay.Count < MaxUnderWay)
                _underWay.Add(ComeAsync(fleet.NewClient(number % Addresses, number % certificates), end));
            await Task.Delay(settings.NewcomerEveryMs, end).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        await Task.WhenAll(_underWay);
        lock (_lock)
            return [.. _done.OrderBy(one => one.AtSeconds)];
    }

    private async Task ComeAsync(UaClient client, CancellationToken end)
    {
        var began = _time.GetTimestamp();
        var at = _time.GetElapsedTime(start, began).TotalSeconds;
        var refusal = string.Empty;
        for (var attempts = 1; ; attempts++)
        {
            var attempt = await ConnectAttempt.RunAsync(
                fleet, client, TimeSpan.FromMilliseconds(settings.NewcomerPatienceMs), CancellationToken.None);
            if (attempt.Session is { } session)
            {
                Add(new Newcomer(at, _time.GetElapsedTime(began).TotalMilliseconds, attempts, refusal));
                await Task.Delay(Stay, end).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                await session.CloseAsync(cancellation: CancellationToken.None);
                return;
            }

            refusal = attempt.Refusal;
            if (end.IsCancellationRequested)
            {
                Add(new Newcomer(at, double.NaN, attempts, refusal));
                return;
            }

            await Task.Delay(attempt.RetryAfter ?? TimeSpan.FromSeconds(1), end)
                .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private void Add(Newcomer newcomer)
    {
        lock (_lock)
            _done.Add(newcomer);
    }
}
