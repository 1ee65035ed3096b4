using System.Text.Json;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;

namespace Gateway.Interop.Admission;

/// <summary>Refusals as node-opcua's client understands them. Of an ERR it tells its user that the connection was
/// rejected and not the code, so that only the refused service can be told by its name.</summary>
public sealed class PeerRefusalTests
{
    private const int Allowed = 2;

    [PeerTheory]
    [InlineData("MaxSessions", "BadTooManySessions")]
    [InlineData("MaxConnectionsPerCertificate", "disconnect")]
    [InlineData("MaxConnectionsPerAddress", "disconnect")]
    public async Task Connect_OneMoreThanAllowed_ThePeerIsToldWhy(string limit, string expected)
    {
        using TemporaryFolder folder = new();
        TestCertificate client = TestCertificate.ForApplication(folder.Path, "urn:interop:client");
        await using GatewayProcess gateway =
            await GatewayProcess.StartAsync(folder, "--demo", $"--Limits:{limit}={Allowed}");

        JsonElement result = await PeerProcess.RunAsync("refused.js", PeerArguments.Create(
            folder, client, gateway.EndpointUrl, new { times = Allowed + 1 }));

        JsonElement[] attempts = [.. result.GetProperty("attempts").EnumerateArray()];
        Assert.All(attempts[..Allowed], one => Assert.True(one.GetProperty("ok").GetBoolean(), one.ToString()));
        Assert.False(attempts[Allowed].GetProperty("ok").GetBoolean(), result.ToString());
        string text = attempts[Allowed].GetProperty("error").ToString();
        Assert.Contains(expected, text, StringComparison.Ordinal);
    }
}
