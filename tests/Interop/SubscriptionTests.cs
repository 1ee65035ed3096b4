using Gateway.Interop.Scripts;

namespace Gateway.Interop;

/// <summary>Counters watched by node-opcua's client: each change adds one, so what is lost or repeated shows.</summary>
[Collection(nameof(AloneCollection))]
public sealed class SubscriptionTests(CountersFixture fixture) : IClassFixture<CountersFixture>
{
    private const int Items = 100;
    private const int DurationMs = 10_000;

    [PeerFact]
    public async Task Watch_HundredItemsForTenSecondsRenewingEachSecond_LosesAndRepeatsNothing()
    {
        WatchResult result = WatchResult.From(await fixture.RunAsync("watch.js",
            new { items = Items, durationMs = DurationMs, renewalMs = 1000 }));

        result.AssertNothingLostOrRepeated();
        Assert.Equal(Items, result.Items);
        // Ten changes a second each; half of that leaves room for a slow machine's start.
        Assert.True(result.Fewest >= DurationMs / 1000 * CountersFixture.ChangesPerSecondEach / 2, result.Text);
        Assert.True(result.Renewals >= DurationMs / 1000 / 2, result.Text);
        Assert.True(result.Losses == 0, result.Text);
    }

    [PeerFact]
    public async Task Watch_FewNotificationsAMessage_SplitsWithoutLoss()
    {
        WatchResult result = WatchResult.From(await fixture.RunAsync("watch.js",
            new { items = Items, durationMs = 3000, maxNotificationsPerPublish = 30, publishingIntervalMs = 500 }));

        result.AssertNothingLostOrRepeated();
        Assert.True(result.Messages >= result.Received / 30, result.Text);
    }
}
