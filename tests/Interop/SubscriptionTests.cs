using Gateway.Interop.Scripts;

namespace Gateway.Interop;

/// <summary>Counters watched by node-opcua's client: each change adds one, so what is lost or repeated shows.</summary>
[Collection(nameof(AloneCollection))]
public sealed class SubscriptionTests(CountersFixture fixture) : IClassFixture<CountersFixture>
{
    private const int Items = 100;
    private const int Values = 60;
    private const int Renewals = 5;

    [PeerFact]
    public async Task Watch_HundredItemsRenewingEachSecond_LosesAndRepeatsNothing()
    {
        WatchResult result = await WatchAsync(
            new { items = Items, enough = Values, renewalMs = 1000, renewals = Renewals });

        result.AssertNothingLostOrRepeated();
        Assert.Equal(Items, result.Items);
        Assert.True(result.Renewals >= Renewals && result.Losses == 0, result.Text);
    }

    [PeerFact]
    public async Task Watch_FewNotificationsAMessage_SplitsWithoutLoss()
    {
        WatchResult result = await WatchAsync(
            new { items = Items, enough = 20, maxNotificationsPerPublish = 30, publishingIntervalMs = 500 });

        result.AssertNothingLostOrRepeated();
        Assert.True(result.Messages >= result.Received / 30, result.Text);
    }

    private async Task<WatchResult> WatchAsync(object what)
    {
        await using PeerProcess watch = fixture.Start("watch.js", what);
        await watch.WaitForAsync("enough");
        await watch.SendLineAsync("stop");
        return WatchResult.From(await watch.ResultAsync());
    }
}
