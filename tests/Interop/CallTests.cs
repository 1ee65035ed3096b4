using System.Text.Json;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;

namespace Gateway.Interop;

/// <summary>The simulated plant's methods called by node-opcua's client.</summary>
[Collection(nameof(DemoCollection))]
public sealed class CallTests(DemoGatewayFixture fixture)
{
    [PeerFact]
    public async Task Call_AddEchoAndWait_AnswerAndCheckTheirArguments()
    {
        JsonElement result = await fixture.RunAsync("call.js", new { });

        Assert.Equal("Good", Status(result, "add"));
        Assert.Equal(42, result.GetProperty("add").GetProperty("outputs")[0].GetInt32());
        Assert.Equal("Grüße", result.GetProperty("echo").GetProperty("outputs")[0].GetString());
        Assert.Equal("BadArgumentsMissing", Status(result, "missing"));
        Assert.Equal("BadTooManyArguments", Status(result, "many"));
        Assert.Equal("BadInvalidArgument", Status(result, "wrongType"));
        Assert.Equal("BadTypeMismatch", result.GetProperty("wrongType").GetProperty("inputs")[1].GetString());
        Assert.Contains(Status(result, "unknown"), new[] { "BadMethodInvalid", "BadNodeIdUnknown" });
        Assert.Equal("Good", Status(result, "wait"));
        Assert.Equal(["read", "wait"], result.GetProperty("order").EnumerateArray().Select(item => item.GetString()));
        Assert.Equal(2, result.GetProperty("inputs").GetArrayLength());
        Assert.Equal(1, result.GetProperty("outputs").GetArrayLength());
    }

    private static string Status(JsonElement result, string name) =>
        result.GetProperty(name).GetProperty("status").GetString()!;
}
