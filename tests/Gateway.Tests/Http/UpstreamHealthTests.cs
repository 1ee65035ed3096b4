using System.Text.Json;
using Gateway.Codec.Structures;
using Gateway.Host.Http;
using Gateway.Sources;
using Gateway.Sources.Upstreams;
using Microsoft.AspNetCore.Http;

namespace Gateway.Tests.Http;

/// <summary>Are the controllers there? A question of its own, because /readyz does not ask it.</summary>
public sealed class UpstreamHealthTests
{
    [Theory]
    [InlineData("", "", 200)]
    [InlineData("Online,Limited", "", 200)]
    [InlineData("Online,Away", "", 503)]
    [InlineData("Faulted", "", 503)]
    [InlineData("Connecting", "", 503)]
    [InlineData("Loading", "", 503)]
    [InlineData("Online,Away", "?name=0", 200)]
    [InlineData("Online,Away", "?name=1", 503)]
    [InlineData("Online,Away", "?name=2", 404)]
    public async Task Answer_ForTheStatesOfTheUpstreams_TellsByItsStatus(string states, string query, int status)
    {
        var reports = states.Split(',', StringSplitOptions.RemoveEmptyEntries)
            .Select((state, index) => Report($"{index}", Enum.Parse<SourceState>(state))).ToList();
        var context = new DefaultHttpContext { Request = { QueryString = new QueryString(query) } };
        using var body = new MemoryStream();
        context.Response.Body = body;

        await UpstreamEndpoints.AnswerAsync(context, reports);

        Assert.Equal(status, context.Response.StatusCode);
        Assert.Equal(status == 503, context.Response.Headers.RetryAfter.Count == 1);
        using var json = JsonDocument.Parse(body.ToArray());
        if (status == 503)
            Assert.EndsWith(": " + reports[^1].Name, json.RootElement.GetProperty("title").GetString());
        Assert.Equal(status != 200, json.RootElement.TryGetProperty("statusCode", out _));
        Assert.Equal(status == 200, json.RootElement.TryGetProperty("upstreams", out _));
    }

    /// <summary>One that nobody answers for: the gateway is ready all the same, and says so elsewhere.</summary>
    [Fact]
    public async Task Readyz_EveryUpstreamAway_StaysReadyWhileTheirCheckFails()
    {
        await using var gateway = await RunningGateway.StartAsync(
            "--Upstreams:0:Name=Press", "--Upstreams:0:EndpointUrl=opc.tcp://127.0.0.1:1");

        using var ready = await gateway.Client.GetAsync("/readyz");
        using var health = await gateway.Client.GetAsync("/api/v1/upstreams/health");

        Assert.Equal(200, (int)ready.StatusCode);
        Assert.Equal(503, (int)health.StatusCode);
        Assert.Contains(
            "1 of 1 upstreams are not served: Press", await health.Content.ReadAsStringAsync(),
            StringComparison.Ordinal);
    }

    private static UpstreamReport Report(string name, SourceState state) => new()
    {
        Name = name,
        Driver = "opcua",
        EndpointUrl = "opc.tcp://x",
        State = state,
        Since = DateTimeOffset.UnixEpoch,
        SecurityPolicy = "",
        SecurityMode = MessageSecurityMode.SignAndEncrypt,
        Counts = new UpstreamCounts(),
    };
}
