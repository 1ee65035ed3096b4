using System.Collections.Concurrent;
using System.Diagnostics;
using Gateway.Client;
using Gateway.Client.Subscriptions;

namespace Gateway.Tests.Clock;

/// <summary>When a subscription without items says that it is there: after its first publishing interval, then every
/// second one.</summary>
internal sealed class KeepAlives : ISubscriptionHandler
{
    private const int IntervalMs = 250;
    private const int Count = 2;

    private readonly ConcurrentQueue<TimeSpan> _came = new();
    private readonly long _since = Stopwatch.GetTimestamp();

    public static async Task<KeepAlives> SubscribeAsync(ClientSession session)
    {
        var handler = new KeepAlives();
        await session.CreateSubscriptionAsync(
            new SubscriptionSettings { PublishingIntervalMs = IntervalMs, MaxKeepAliveCount = Count }, handler);
        return handler;
    }

    /// <summary>None comes before it is due; one that is late for good ends the test's patience.</summary>
    public async Task AssertOnTimeAsync(int number)
    {
        await Condition.UntilAsync(() => _came.Count >= number);
        var due = TimeSpan.FromMilliseconds(IntervalMs * (1 + (Count * (number - 1))));
        Assert.True(_came.ElementAt(number - 1) >= due, string.Join(' ', _came));
    }

    public void OnDataChange(ClientSubscription subscription, ref DataChangeReader changes)
    {
    }

    public void OnKeepAlive(ClientSubscription subscription) => _came.Enqueue(Stopwatch.GetElapsedTime(_since));
}
