using System.Text.Json;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;

namespace Gateway.Interop;

/// <summary>Each scalar built-in type, its array and a matrix: what node-opcua reads over UA-TCP is what HTTP says, in
/// the resource API and in all encodings of <c>/opcua</c>, and comes back when it is written there.</summary>
[Collection(nameof(DemoCollection))]
public sealed class HttpEqualityTests(DemoGatewayFixture fixture)
{
    /// <summary>21 types, two values of each and of its array; NaN and the infinities of two types; two matrices.
    /// </summary>
    private const int Values = (21 * 4) + 6 + 2;

    [PeerFact]
    public async Task Values_OverUaTcpAndHttp_AreTheSameBothWays()
    {
        JsonElement result = await fixture.RunAsync(
            "equality.js", new { httpUrl = $"http://127.0.0.1:{fixture.Gateway.HttpPort}" });

        AssertSame(Values, result);
    }

    internal static void AssertSame(int count, JsonElement result)
    {
        List<JsonElement> values = [.. result.GetProperty("checked").EnumerateArray()];
        Assert.Equal(count, values.Count);
        string faults = string.Join('\n', values.SelectMany(one => one.GetProperty("faults").EnumerateArray().Select(
            fault => $"{one.GetProperty("name")} {one.GetProperty("value")}: {fault}")));
        Assert.True(faults.Length == 0, faults);
    }
}
