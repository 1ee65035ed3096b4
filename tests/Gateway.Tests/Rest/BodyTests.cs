using System.Text.Json;
using Gateway.Tests.Http;

namespace Gateway.Tests.Rest;

/// <summary>Bodies that are too large, or that do not come.</summary>
[Collection(OwnMetrics.Name)]
public sealed class BodyTests
{
    private const string Read = """{"nodes":["i=2258"]}""";

    /// <summary>The first 4 KiB of a body count as soon as it is read.</summary>
    [Fact]
    public async Task Post_BodiesTogetherAboveMaxHttpBodiesBytes_503()
    {
        await using var gateway = await RestGateway.StartAsync("--Limits:MaxHttpBodiesBytes=8192");
        var padded = Read + new string(' ', 16_384);

        var (refused, problem) = await PostAsync(gateway, padded);
        var (served, _) = await PostAsync(gateway, Read);

        Assert.Equal(503, refused);
        Assert.Equal("BadOutOfMemory", problem.GetProperty("statusCode").GetString());
        Assert.Contains("MaxHttpBodiesBytes", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.Equal(200, served);
        var metrics = await gateway.Host.Client.GetStringAsync("/metrics");
        Assert.Contains("gateway_http_bodies_refused_total 1\n", metrics, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Post_LengthAboveMaxHttpBodyBytes_413AndSaysHowMuch()
    {
        await using var gateway = await RestGateway.StartAsync("--Limits:MaxHttpBodyBytes=1000");

        var (refused, problem) = await PostAsync(gateway, Read + new string(' ', 1_000));

        Assert.Equal(413, refused);
        Assert.Equal(
            "expected at most 1000 bytes (MaxHttpBodyBytes)", problem.GetProperty("detail").GetString());
    }

    /// <summary>Nobody says beforehand how long a chunked body is.</summary>
    [Fact]
    public async Task Post_ChunkedBodyAboveMaxHttpBodyBytes_413AndClosed()
    {
        await using var gateway = await RestGateway.StartAsync("--Limits:MaxHttpBodyBytes=1000");
        using var peer = await gateway.Host.ConnectAsync();
        await RunningGateway.SendAsync(
            peer, Header(gateway, "Transfer-Encoding: chunked") + $"7d0\r\n{new string(' ', 2_000)}\r\n");

        var answer = await RunningGateway.ReadAsync(peer);

        Assert.StartsWith("HTTP/1.1 413 ", answer, StringComparison.Ordinal);
        Assert.Contains("expected at most 1000 bytes (MaxHttpBodyBytes)", answer, StringComparison.Ordinal);
        Assert.Contains("application/problem+json", answer, StringComparison.Ordinal);
        Assert.Contains("\"statusCode\":\"BadRequest", answer, StringComparison.Ordinal);
    }

    /// <summary>A rate that no byte a second keeps.</summary>
    [Fact]
    public async Task Post_BodySlowerThanTheRate_408AndClosed()
    {
        await using var gateway = await RestGateway.StartAsync(
            "--Limits:MinHttpBytesPerSecond=1000000", "--Limits:HttpGracePeriod=00:00:01.1");
        using var peer = await gateway.Host.ConnectAsync();
        await RunningGateway.SendAsync(peer, Header(gateway, "Content-Length: 100000") + Read);

        var answer = await RunningGateway.ReadAsync(peer);

        Assert.StartsWith("HTTP/1.1 408 ", answer, StringComparison.Ordinal);
        Assert.Contains("application/problem+json", answer, StringComparison.Ordinal);
        Assert.Contains("\"statusCode\":\"BadRequest", answer, StringComparison.Ordinal);
    }

    /// <summary>Half of it at once, and then nothing: the rate is the mean of the whole body.</summary>
    [Fact]
    public async Task Post_BodyThatStops_408AtHttpRequestTimeoutAndItsBytesAreFree()
    {
        await using var gateway = await RestGateway.StartAsync("--Limits:HttpRequestTimeout=00:00:01");
        using var peer = await gateway.Host.ConnectAsync();
        await RunningGateway.SendAsync(
            peer, Header(gateway, "Content-Length: 1000000") + Read + new string(' ', 500_000));

        var answer = await RunningGateway.ReadAsync(peer, "}");

        Assert.StartsWith("HTTP/1.1 408 ", answer, StringComparison.Ordinal);
        Assert.Contains("BadRequestTimeout", answer, StringComparison.Ordinal);
        Assert.Contains("within 00:00:01 (HttpRequestTimeout)", answer, StringComparison.Ordinal);
        var (served, _) = await PostAsync(gateway, Read);
        Assert.Equal(200, served);
    }

    private static Task<(int Status, JsonElement Json)> PostAsync(RestGateway gateway, string body) =>
        RestGateway.SendAsync(gateway.Observer, HttpMethod.Post, "/api/v1/values/read", body);

    private static string Header(RestGateway gateway, string length) =>
        "POST /api/v1/values/read HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n" +
        $"Authorization: {gateway.Observer.DefaultRequestHeaders.Authorization}\r\n{length}\r\n\r\n";
}
