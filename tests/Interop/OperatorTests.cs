using System.Text.Json;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;

namespace Gateway.Interop;

/// <summary>What an operator does to node-opcua's client.</summary>
[Collection(nameof(DemoCollection))]
public sealed class OperatorTests(DemoGatewayFixture fixture)
{
    [PeerFact]
    public async Task Session_EndedWhilePublishing_ClientSeesBadSessionClosed()
    {
        await using PeerProcess peer = fixture.Start("ended.js", new { });
        JsonElement said = await peer.WaitForAsync("publishing");
        using HttpClient client = new();

        using HttpResponseMessage answer = await client.DeleteAsync(
            new Uri($"http://127.0.0.1:{fixture.Gateway.HttpPort}/api/v1/sessions/{said.GetProperty("session")}"));

        Assert.Equal(204, (int)answer.StatusCode);
        JsonElement result = await peer.ResultAsync();
        Assert.Equal("BadSessionClosed", result.GetProperty("held").GetString());
        // It has made itself a new session.
        Assert.Equal("Good", result.GetProperty("next").GetString());
    }
}
