using System.Net;
using System.Text;
using System.Text.Json;
using Gateway.Tests.Drivers;
using Gateway.Tests.Logging;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Gateway.Tests.Rest;

/// <summary>A source whose method throws, and whose nodes have more references than they need.</summary>
public sealed class FaultySourceTests : IAsyncLifetime
{
    private RestGateway _gateway = null!;

    public async Task InitializeAsync() => _gateway = await RestGateway.StartAsync([FaultyDriver.Registration]);

    public async Task DisposeAsync() => await _gateway.DisposeAsync();

    [Fact]
    public async Task Call_SourceThatThrows_IsAProblemAndALine()
    {
        var log = new LogLines();
        _gateway.Host.Services.GetRequiredService<ILoggerFactory>().AddProvider(log);

        var (http, json) = await CallAsync("7");

        Assert.Equal(500, http);
        Assert.Equal("BadInternalError", json.GetProperty("statusCode").GetString());
        Assert.DoesNotContain("fault", json.GetRawText(), StringComparison.Ordinal);
        Assert.Contains(
            log.Lines, static line => line.Contains("Answering an HTTP request failed", StringComparison.Ordinal));
    }

    /// <summary>Also where an answer was begun and taken back.</summary>
    [Fact]
    public async Task Call_SourceThatThrows_TheProblemTellsBrowsersWhatItIs()
    {
        using var body = new StringContent(TextOf("7"), Encoding.UTF8, "application/json");

        using var answer = await _gateway.Operator.PostAsync(new Uri("/api/v1/call", UriKind.Relative), body);

        Assert.Equal(HttpStatusCode.InternalServerError, answer.StatusCode);
        Assert.Equal("nosniff", Assert.Single(answer.Headers.GetValues("X-Content-Type-Options")));
    }

    /// <summary>The method is not asked: what its check refuses is no answer of it.</summary>
    [Fact]
    public async Task Call_InputThatTheCheckRefuses_IsAProblemThatNamesIt()
    {
        var (http, json) = await CallAsync("\"x\"");

        Assert.Equal(400, http);
        Assert.Equal("BadInvalidArgument", json.GetProperty("statusCode").GetString());
        Assert.Equal("inputs[0] (Number): expected a value of Number", json.GetProperty("detail").GetString());
    }

    [Fact]
    public async Task Children_NodeByTwoReferences_IsThereOnce()
    {
        var (_, json) = await RestGateway.GetAsync(
            _gateway.Observer, $"/api/v1/nodes/{Uri.EscapeDataString(FaultyDriver.Parent)}/children?fields=node");

        var ids = json.GetProperty("nodes").EnumerateArray().Select(static one => one.GetProperty("node").GetString());
        Assert.Equal(["nsu=urn:test:faulty;s=Method", "nsu=urn:test:faulty;s=Twice"], ids.Order());
    }

    private Task<(int Status, JsonElement Json)> CallAsync(string input) => RestGateway.SendAsync(
        _gateway.Operator, HttpMethod.Post, "/api/v1/call", TextOf(input));

    private static string TextOf(string input) =>
        $$"""{"object":"{{FaultyDriver.Parent}}","method":"{{FaultyDriver.Method}}","inputs":[{{input}}]}""";
}
