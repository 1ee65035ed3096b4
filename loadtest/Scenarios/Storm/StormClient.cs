using Gateway.Client;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Types;
using Gateway.Loadtest.Clients;
using Gateway.Loadtest.Scenarios.Soak;

namespace Gateway.Loadtest.Scenarios.Storm;

/// <summary>One client of the storm: comes again and again until it is active, and stays.
/// </summary>
internal sealed class StormClient(
    StormPlan plan, StormField field, ClientFleet fleet, NodeId tag, CancellationToken leaving)
{
    private const double IntervalMs = 1000;

    /// <param name="number">Decides on its address.</param>
    /// <param name="certificate">Of the fleet's.</param>
    /// <param name="obeys">It obeys the server's hint when it is refused.</param>
    /// <param name="isKnown">For the report.</param>
    /// <param name="end">No attempt begins after it.</param>
    public async Task RunAsync(int number, int certificate, bool obeys, bool isKnown, CancellationToken end)
    {
        var client = fleet.NewClient(number % plan.Addresses, certificate);
        var afterHint = false;
        for (var attempts = 1; !end.IsCancellationRequested; attempts++)
        {
            field.Begin(afterHint);
            var attempt = await ConnectAttempt.RunAsync(fleet, client, plan.Patience, end);
            if (attempt.Session is { } session)
            {
                if (await SubscribesAsync(session))
                {
                    field.BecameActive(session, attempts, isKnown);
                    _ = NoteLossAsync(session);
                    return;
                }

                attempt = new ConnectAttempt(null, "(no subscription)", null, false);
            }

            if (end.IsCancellationRequested)
            {
                field.Stopped();
                return;
            }

            field.Refused(attempt);
            afterHint = obeys && attempt.RetryAfter is not null;
            var delay = plan.DelayOf(obeys, attempt.RetryAfter, Random.Shared.NextDouble());
            if (delay > TimeSpan.Zero)
                await Task.Delay(delay, end).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            else
                await Task.Yield();
        }
    }

    private async Task<bool> SubscribesAsync(ClientSession session)
    {
        if (!plan.Subscribes)
            return true;
        try
        {
            var subscription = await session.CreateSubscriptionAsync(
                new SubscriptionSettings { PublishingIntervalMs = IntervalMs, LifetimeCount = 1000 },
                new IgnoredValues());
            await subscription.CreateMonitoredItemsAsync([Flood.Item(tag, 0)]);
            return true;
        }
        catch (ServiceException)
        {
            session.Abort();
            return false;
        }
    }

    /// <summary>From the leaving on sessions are closed by us.</summary>
    private async Task NoteLossAsync(ClientSession session)
    {
        Task closed = session.Closed;
        await closed.WaitAsync(leaving).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (closed.IsCompleted && !leaving.IsCancellationRequested)
            field.WasLost();
    }
}
