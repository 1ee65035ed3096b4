using System.Text.Json;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;

namespace Gateway.Interop;

/// <summary>node-opcua's client on each policy and mode that the gateway offers.</summary>
[Collection(nameof(DemoCollection))]
public sealed class SecurityPolicyTests(DemoGatewayFixture fixture)
{
    private static readonly string[] Policies = ["Basic256Sha256", "Aes128_Sha256_RsaOaep", "Aes256_Sha256_RsaPss"];

    public static TheoryData<string, string> Cases
    {
        get
        {
            TheoryData<string, string> cases = new() { { "None", "None" } };
            foreach (string policy in Policies)
            {
                cases.Add(policy, "Sign");
                cases.Add(policy, "SignAndEncrypt");
            }

            return cases;
        }
    }

    [PeerTheory]
    [MemberData(nameof(Cases))]
    public async Task Session_EachPolicyAndMode_ReadsTheServerState(string policy, string mode)
    {
        JsonElement attempt = (await RunAsync(policy, mode)).GetProperty("attempts")[0];

        Assert.True(attempt.GetProperty("ok").GetBoolean(), attempt + "\n" + fixture.Gateway.Output);
        Assert.EndsWith("#" + policy, attempt.GetProperty("usedPolicy").GetString());
        Assert.Equal(mode, attempt.GetProperty("usedMode").GetString());
        Assert.Equal(0, attempt.GetProperty("state").GetInt32());
        Assert.Equal("Good", attempt.GetProperty("timeStatus").GetString());
    }

    [PeerFact]
    public async Task GetEndpoints_Demo_ListsEachPolicyOnceByModeAndTheHostThatWasUsed()
    {
        JsonElement result = await RunAsync("None", "None");

        List<string> endpoints = [.. result.GetProperty("endpoints").EnumerateArray()
            .Select(e => $"{e.GetProperty("policy").GetString()} {e.GetProperty("mode").GetString()}").Order()];
        Assert.Equal(Cases.Select(row => $"{row[0]} {row[1]}").Order(), endpoints);
        Assert.All(result.GetProperty("endpoints").EnumerateArray(), endpoint =>
        {
            Assert.StartsWith(fixture.Gateway.EndpointUrl, endpoint.GetProperty("url").GetString());
            Assert.Contains("Anonymous", endpoint.GetProperty("tokens").EnumerateArray().Select(t => t.GetString()));
        });
        JsonElement server = Assert.Single(result.GetProperty("servers").EnumerateArray());
        Assert.StartsWith(fixture.Gateway.EndpointUrl, server.GetProperty("urls")[0].GetString());
    }

    private Task<JsonElement> RunAsync(string policy, string mode) =>
        fixture.RunAsync("policies.js", new { cases = new[] { new { policy, mode } } });
}
