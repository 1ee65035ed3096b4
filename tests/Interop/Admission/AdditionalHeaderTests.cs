using System.Text.Json;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;

namespace Gateway.Interop.Admission;

public sealed class AdditionalHeaderTests
{
    [PeerFact]
    public async Task CreateSession_BeyondMaxSessions_NodeOpcUaReadsTheHint()
    {
        using TemporaryFolder folder = new();
        TestCertificate client = TestCertificate.ForApplication(folder.Path, "urn:interop:client");
        await using GatewayProcess gateway = await GatewayProcess.StartAsync(
            folder, "--demo", "--Limits:MaxSessions=1");

        JsonElement result = await PeerProcess.RunAsync(
            "hint.js", PeerArguments.Create(folder, client, gateway.EndpointUrl, new { }));

        Assert.True(result.GetProperty("refused").GetBoolean(), result.ToString());
        Assert.Equal("BadTooManySessions", result.GetProperty("status").GetString());
        JsonElement parameter = Assert.Single(result.GetProperty("parameters").EnumerateArray());
        Assert.Equal("RetryAfterMs", parameter.GetProperty("key").GetString());
        Assert.Equal("Int64", parameter.GetProperty("type").GetString());
        Assert.InRange(parameter.GetProperty("value").GetInt64(), 1, 60_000);
    }
}
