using System.Net;
using System.Net.Sockets;
using System.Text;
using Gateway.Testing;
using Gateway.Tests.Http;
using Gateway.Tests.Logging;
using Gateway.Tests.Rest;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Gateway.Tests.Management;

/// <summary>How many connections are tried at one time, and what is on record of a try whose user has left.</summary>
#pragma warning disable CA1001 // xUnit calls DisposeAsync.
[Collection(OwnMetrics.Name)]
public sealed class UpstreamTestLimitTests : IAsyncLifetime
#pragma warning restore CA1001
{
    private const string Path = "/api/v1/upstreams/test";

    private readonly LogLines _log = new();
    private readonly TcpListener _silent = new(IPAddress.Loopback, 0);
    private RestGateway _gateway = null!;

    private string Body => $$"""{"endpointUrl":"opc.tcp://127.0.0.1:{{((IPEndPoint)_silent.LocalEndpoint).Port}}"}""";

    public async Task InitializeAsync()
    {
        _silent.Start();
        _gateway = await RestGateway.StartAsync("--Limits:MaxHttpUpstreamTests=1");
        _gateway.Host.Services.GetRequiredService<ILoggerFactory>().AddProvider(_log);
    }

    public async Task DisposeAsync()
    {
        _silent.Dispose();
        await _gateway.DisposeAsync();
        _log.Dispose();
    }

    [Fact]
    public async Task Try_OneTooMany_429WithRetryAfterAndCounted()
    {
        var first = RestGateway.SendAsync(_gateway.Engineer, HttpMethod.Post, Path, Body);
        using var server = await _silent.AcceptSocketAsync();
        var use = await UseAsync();

        using (var refused = await PostAsync(CancellationToken.None))
        {
            Assert.Equal(HttpStatusCode.TooManyRequests, refused.StatusCode);
            Assert.Equal(TimeSpan.FromSeconds(5), refused.Headers.RetryAfter?.Delta);
            var problem = await RestGateway.JsonOf(refused);
            Assert.Equal("BadTooManyOperations", problem.GetProperty("statusCode").GetString());
        }

        var metrics = await MetricsAsync("gateway_http_upstream_tests_refused_total 1");
        server.Dispose();
        Assert.Equal(200, (await first).Status);
        Assert.Contains("\ngateway_http_upstream_tests 1", metrics, StringComparison.Ordinal);
        Assert.Equal(1, use);
        // Its place is free again.
        var next = RestGateway.SendAsync(_gateway.Engineer, HttpMethod.Post, Path, Body);
        (await _silent.AcceptSocketAsync()).Dispose();
        Assert.Equal(200, (await next).Status);
    }

    [Fact]
    public async Task Try_WhoseUserLeaves_IsOnRecordAndLeavesItsPlace()
    {
        using var leave = new CancellationTokenSource();
        var left = PostAsync(leave.Token);
        using var server = await _silent.AcceptSocketAsync();
        await leave.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => left);

        using var patience = new CancellationTokenSource(Patience.Limit);
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(50));
        while (!_log.Lines.Any(static line => line.Contains("UpstreamTested", StringComparison.Ordinal)))
            await look.WaitForNextTickAsync(patience.Token);

        var told = _log.Lines.Single(static line => line.Contains("UpstreamTested", StringComparison.Ordinal));
        Assert.Contains("BadRequestCancelledByClient", told, StringComparison.Ordinal);
        Assert.Contains("engineer", told, StringComparison.Ordinal);
        // The line comes before the place is free.
        while (await UseAsync() > 0)
            await look.WaitForNextTickAsync(patience.Token);
    }

    private async Task<int> UseAsync()
    {
        var (_, answer) = await RestGateway.GetAsync(
            _gateway.Observer, "/api/v1/limits?name=MaxHttpUpstreamTests&fields=use");
        return answer.GetProperty("limits")[0].GetProperty("use").GetInt32();
    }

    private Task<HttpResponseMessage> PostAsync(CancellationToken cancellation) => _gateway.Engineer.PostAsync(
        new Uri(Path, UriKind.Relative), new StringContent(Body, Encoding.UTF8, "application/json"), cancellation);

    /// <summary>A scrape may be a moment old.</summary>
    private async Task<string> MetricsAsync(string until)
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(100));
        string text;
        while (!(text = await _gateway.Host.Client.GetStringAsync("/metrics", patience.Token))
            .Contains(until, StringComparison.Ordinal))
            await look.WaitForNextTickAsync(patience.Token);
        return text;
    }
}
