using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;

namespace Gateway.Interop;

/// <summary>The gateway goes away under node-opcua's client and comes back; the client recovers by itself.</summary>
public sealed class RestartTests
{
    private static readonly string[] Options =
        ["--demo", "--Simulator:Tags=100", "--Simulator:ChangesPerSecond=1000"];

    [PeerTheory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Watch_GatewayRestarted_FlowsAgain(bool orderly)
    {
        using TemporaryFolder folder = new();
        TestCertificate client = TestCertificate.ForApplication(folder.Path, "urn:interop:client");
        await using GatewayProcess gateway = await GatewayProcess.StartAsync(folder, Options);
        await using PeerProcess watch = PeerProcess.Start("watch.js", PeerArguments.Create(folder, client,
            gateway.EndpointUrl, new { items = 100 }));
        await watch.WaitForAsync("flowing");

        if (orderly)
            Assert.Equal(0, await gateway.StopAsync());
        else
            await gateway.KillAsync();
        await watch.WaitForAsync("lost");
        await gateway.StartAsync();
        await watch.WaitForAsync("restored");
        await watch.WaitForAsync("flowing");
        await watch.SendLineAsync("stop");
        WatchResult result = WatchResult.From(await watch.ResultAsync());

        Assert.True(result.Silent == 0, result.Text);
        Assert.True(result.Losses >= 1, result.Text);
    }
}
