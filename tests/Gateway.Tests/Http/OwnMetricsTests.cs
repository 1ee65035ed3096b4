using Gateway.Tests.Tls;

namespace Gateway.Tests.Http;

/// <summary>What <c>/metrics</c> says of the HTTP listener.</summary>
[Collection(OwnMetrics.Name)]
public sealed class OwnMetricsTests
{
    [Fact]
    public async Task Metrics_NonsenseWasSent_BadRequestByStatus()
    {
        await using var gateway = await RunningGateway.StartAsync();
        using var peer = await gateway.ConnectAsync();
        await RunningGateway.SendAsync(peer, "NONSENSE\r\n\r\n");
        await RunningGateway.ReadAsync(peer);

        var text = await gateway.Client.GetStringAsync("/metrics");

        Assert.Contains("gateway_http_bad_requests_total{status=\"400\"} 1\n", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Metrics_Https_TimeThatIsLeftOfTheCertificate()
    {
        using var files = new PemFiles();
        files.Renew(days: 10);
        await using var gateway = await RunningGateway.StartAsync(files.Options);
        using var handler = new SocketsHttpHandler();
        handler.SslOptions.RemoteCertificateValidationCallback = static (_, sent, _, _) => sent is not null;
        using var client = new HttpClient(handler) { BaseAddress = gateway.Client.BaseAddress };

        var text = await client.GetStringAsync("/metrics");

        Assert.Contains("gateway_http_tls_certificate_remaining_seconds 8", text, StringComparison.Ordinal);
    }

    /// <summary>Else some of them would be one series without their label.</summary>
    [Fact]
    public async Task Metrics_NoFamily_HasMoreSeriesThanItHasRoomFor()
    {
        await using var gateway = await RunningGateway.StartAsync();

        var text = await gateway.Client.GetStringAsync("/metrics");

        Assert.Contains("gateway_limit{limit=\"MaxSessions\"}", text, StringComparison.Ordinal);
        Assert.DoesNotContain("overflow=\"true\"", text, StringComparison.Ordinal);
    }
}
