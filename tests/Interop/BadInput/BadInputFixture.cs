using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;

namespace Gateway.Interop.BadInput;

/// <summary>A demo gateway with a good client that watches its counters all the while.</summary>
public sealed class BadInputFixture() : GatewayFixture(
    "--demo", "--Simulator:Tags=100", "--Simulator:ChangesPerSecond=500", "--Limits:LingerTime=00:00:00.100")
{
    private PeerProcess? watch;

    internal async Task AssertGoodClientAsync()
    {
        await using PeerProcess good = Start("watch.js", new { items = 100, enough = 10 });
        await good.WaitForAsync("enough");
        await good.SendLineAsync("stop");
        WatchResult result = WatchResult.From(await good.ResultAsync());
        result.AssertNothingLostOrRepeated();
        Assert.True(result.Losses == 0, result.Text);
    }

    protected override async Task PrepareAsync()
    {
        watch = Start("watch.js", new { items = 100 });
        await watch.WaitForAsync("flowing");
    }

    protected override async Task FinishAsync()
    {
        if (watch is null)
            return;
        await using PeerProcess bystander = watch;
        await bystander.SendLineAsync("stop");
        WatchResult result = WatchResult.From(await bystander.ResultAsync());
        result.AssertNothingLostOrRepeated();
        Assert.True(result.Losses == 0, result.Text);
    }
}
