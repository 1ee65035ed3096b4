using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using Gateway.Admission;
using Gateway.Admission.Stages;
using Gateway.Host.Http;
using Gateway.Testing;
using Gateway.Tests.Clock;
using Gateway.Transport.Http;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using TransportContext = Gateway.Transport.Hosting.TransportContext;

namespace Gateway.Tests.Http;

/// <summary>Each limit of the HTTP listener acts over a socket, is counted, and is answered as a problem or a closed
/// connection.</summary>
public sealed class HttpLimitTests
{
    private const string Live = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n";

    private static string Header(string name, int bytes) => $"{name}: {new string('x', bytes)}\r\n";

    public static TheoryData<string, int> Oversized => new()
    {
        { $"GET /{new string('x', 17_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n", 414 },
        { $"GET /livez HTTP/1.1\r\nHost: localhost\r\n{Header("A", 9_000)}{Header("B", 9_000)}\r\n", 431 },
        {
            "GET /livez HTTP/1.1\r\nHost: localhost\r\n" +
                string.Concat(Enumerable.Range(0, 70).Select(number => Header($"X{number}", 1))) + "\r\n", 431
        },
        { "POST /api/v1/values HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1048577\r\n\r\n", 413 },
        { "NONSENSE\r\n\r\n", 400 },
    };

    [Theory]
    [MemberData(nameof(Oversized))]
    public async Task Request_OverALimit_RefusedClosedAndCounted(string request, int status)
    {
        await using var gateway = await RunningGateway.StartAsync();
        using var peer = await gateway.ConnectAsync();
        await RunningGateway.SendAsync(peer, request);

        var answer = await RunningGateway.ReadAsync(peer);

        Assert.StartsWith(
            string.Create(CultureInfo.InvariantCulture, $"HTTP/1.1 {status} "), answer, StringComparison.Ordinal);
        Assert.Equal(1, gateway.Services.GetRequiredService<HttpCounters>().BadRequestsOf(status));
    }

    /// <summary>A longer line, more bytes of headers, one header more than the key says.</summary>
    [Theory]
    [InlineData("MaxHttpRequestLineBytes=64", 64, 0, 1, 414)]
    [InlineData("MaxHttpHeaderBytes=200", 10, 200, 1, 431)]
    [InlineData("MaxHttpHeaders=4", 10, 1, 4, 431)]
    public async Task Request_OverALimitThatWasMoved_Refused(
        string limit, int pathBytes, int headerBytes, int headers, int status)
    {
        await using var gateway = await RunningGateway.StartAsync("--Limits:" + limit);
        using var within = await gateway.ConnectAsync();
        await RunningGateway.SendAsync(within, "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n");
        Assert.StartsWith("HTTP/1.1 200", await RunningGateway.ReadAsync(within, "live"), StringComparison.Ordinal);
        using var peer = await gateway.ConnectAsync();

        await RunningGateway.SendAsync(
            peer, $"GET /livez?{new string('x', pathBytes)} HTTP/1.1\r\nHost: a\r\n" +
            string.Concat(Enumerable.Range(0, headers).Select(i => Header($"X{i}", headerBytes))) + "\r\n");

        Assert.StartsWith(
            string.Create(CultureInfo.InvariantCulture, $"HTTP/1.1 {status} "), await RunningGateway.ReadAsync(peer),
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("GET /livez HTTP/1.1\r\nHost: loc")]
    public async Task Header_NotThereAtItsDeadline_Closed(string begun)
    {
        await using var gateway = await RunningGateway.StartAsync("--Limits:HttpHeaderDeadline=00:00:01");
        using var peer = await gateway.ConnectAsync();
        await RunningGateway.SendAsync(peer, begun);

        Assert.DoesNotContain("200", await RunningGateway.ReadAsync(peer), StringComparison.Ordinal);
        var stages = gateway.Get<AdmissionControl>().Stages;
        await Condition.UntilAsync(() => stages.Shedded(AdmissionStage.HttpConnection, RefusalReason.Silent) == 1);
    }

    [Fact]
    public async Task Header_OfALaterRequestNotThereAtItsDeadline_408()
    {
        await using var gateway = await RunningGateway.StartAsync("--Limits:HttpHeaderDeadline=00:00:01");
        using var peer = await gateway.ConnectAsync();
        await RunningGateway.SendAsync(peer, Live);
        Assert.StartsWith("HTTP/1.1 200", await RunningGateway.ReadAsync(peer, "live"), StringComparison.Ordinal);
        await RunningGateway.SendAsync(peer, "GET /livez HTTP/1.1\r\nHost: loc");

        Assert.Contains("HTTP/1.1 408", await RunningGateway.ReadAsync(peer), StringComparison.Ordinal);
        Assert.Equal(1, gateway.Services.GetRequiredService<HttpCounters>().BadRequestsOf(408));
    }

    [Fact]
    public async Task Connection_IdleAfterItsAnswer_ClosedAtTheKeepAliveTime()
    {
        await using var gateway = await RunningGateway.StartAsync("--Limits:HttpKeepAliveTime=00:00:01");
        using var peer = await gateway.ConnectAsync();
        await RunningGateway.SendAsync(peer, Live);

        Assert.StartsWith("HTTP/1.1 200", await RunningGateway.ReadAsync(peer), StringComparison.Ordinal);
        var counters = gateway.Get<TransportContext>().Counters;
        await Condition.UntilAsync(() => counters.HttpKeepAliveEnds == 1);
    }

    /// <summary>The gateway holds a part of the answers itself: for these Kestrel alone gave their peer minutes.
    /// </summary>
    [Fact]
    public async Task Requests_WhoseAnswersNobodyTakes_ConnectionEnded()
    {
        await using var gateway = await RunningGateway.StartAsync("--Limits:WriteDeadline=00:00:01");
        using var peer = await gateway.ConnectAsync();
        var requests = Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat(Live, 100)));

        using var patience = new CancellationTokenSource(Patience.Limit);
        await Assert.ThrowsAnyAsync<SocketException>(async () =>
        {
            while (true)
                await peer.SendAsync(requests, patience.Token);
        });
        var stages = gateway.Get<AdmissionControl>().Stages;
        await Condition.UntilAsync(
            () => stages.Shedded(AdmissionStage.HttpConnection, RefusalReason.WriteDeadline) == 1);
    }

    [Fact]
    public async Task Requests_MoreThanTheAddressMay_429ButHealthIsAnswered()
    {
        await using var gateway = await RunningGateway.StartAsync("--Limits:MaxHttpRequestsPerSecondPerAddress=1");
        var refused = (HttpResponseMessage?)null;
        for (var i = 0; i < 20 && refused is null; i++)
        {
            var answer = await gateway.Client.GetAsync("/metrics");
            if (answer.StatusCode == HttpStatusCode.OK)
                answer.Dispose();
            else
                refused = answer;
        }

        Assert.Equal(HttpStatusCode.TooManyRequests, refused?.StatusCode);
        Assert.Equal(TimeSpan.FromSeconds(1), refused!.Headers.RetryAfter!.Delta);
        Assert.Equal("application/problem+json", refused.Content.Headers.ContentType!.MediaType);
        Assert.Contains(
            "\"statusCode\":\"BadServerTooBusy\"", await refused.Content.ReadAsStringAsync(), StringComparison.Ordinal);
        refused.Dispose();
        foreach (var path in new[] { "/livez", "/readyz", "/livez" })
        {
            using var health = await gateway.Client.GetAsync(path);
            Assert.Contains(
                health.StatusCode, new[] { HttpStatusCode.OK, HttpStatusCode.ServiceUnavailable });
        }

        var stages = gateway.Get<AdmissionControl>().Stages;
        Assert.True(stages.Shedded(AdmissionStage.Http, RefusalReason.RequestRatePerAddress) > 0);
    }

    /// <summary>Kestrel tells each client of HTTP/2 at its start.</summary>
    [Fact]
    public async Task Http2_RequestsOfAConnection_AtMostTheLimit()
    {
        await using var gateway = await RunningGateway.StartAsync("--Limits:MaxHttpRequestsPerConnection=7");

        var limits = gateway.Get<IOptions<KestrelServerOptions>>().Value.Limits.Http2;

        Assert.Equal(7, limits.MaxStreamsPerConnection);
        Assert.InRange(limits.InitialConnectionWindowSize, 65_535, 128 * 1024);
    }

    /// <summary>Both listeners say what they may hold, and what they hold.</summary>
    [Fact]
    public async Task Admission_Report_HasARowForEachListener()
    {
        await using var gateway = await RunningGateway.StartAsync("--Limits:MaxHttpConnections=9");
        using var idle = await gateway.ConnectAsync();

        using var document = JsonDocument.Parse(await gateway.Client.GetStringAsync("/api/v1/admission"));

        var rows = document.RootElement.GetProperty("stages").EnumerateArray()
            .ToDictionary(row => row.GetProperty("stage").GetString()!);
        var http = rows["http_connection"];
        Assert.Equal("MaxHttpConnections", http.GetProperty("limit").GetProperty("name").GetString());
        Assert.Equal(9, http.GetProperty("limit").GetProperty("value").GetInt32());
        Assert.InRange(http.GetProperty("inUse").GetInt32(), 1, 2);
        Assert.Equal(1, rows["http"].GetProperty("inUse").GetInt32());
        Assert.Equal("MaxConnections", rows["connection"].GetProperty("limit").GetProperty("name").GetString());
    }

    /// <summary>A rate that a client with the default would keep easily, and a time that ends a minute before the
    /// test's patience.</summary>
    [Fact]
    public async Task Body_SlowerThanTheRateBehindTheGracePeriod_408()
    {
        await using var gateway = await RunningGateway.StartAsync(
            application => application.MapPost(
                "/body", async (HttpRequest request) => await request.Body.CopyToAsync(Stream.Null)),
            "--Limits:MinHttpBytesPerSecond=1000000", "--Limits:HttpGracePeriod=00:00:01.1");
        using var peer = await gateway.ConnectAsync();
        await RunningGateway.SendAsync(
            peer, $"POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n{new string('x', 50_000)}");

        Assert.StartsWith("HTTP/1.1 408", await RunningGateway.ReadAsync(peer), StringComparison.Ordinal);
        Assert.Equal(1, gateway.Services.GetRequiredService<HttpCounters>().BadRequestsOf(408));
    }

    /// <summary>R13: as at the UA side the time of an answer does not tell which check failed.</summary>
    [Theory]
    [InlineData("YW5uYTp3cm9uZw==")]
    [InlineData("bm9ib2R5Ondyb25n")]
    [InlineData("no credentials")]
    public async Task Login_Refused_LeavesWithItsStep(string credentials)
    {
        await using var gateway = await RunningGateway.StartAsync(
            "--Users:0:Name=anna", "--Users:0:Password=horse", "--Limits:FailureAnswerStep=01:00:00");
        using var gone = new CancellationTokenSource();
        var refused = AskAsync(credentials, gone.Token);
        while (gateway.Get<TransportContext>().Failures.Held == 0 && !refused.IsCompleted)
            (await gateway.Client.GetAsync("/livez")).Dispose();
        Assert.False(refused.IsCompleted);

        using var right = await AskAsync("YW5uYTpob3JzZQ==", CancellationToken.None);
        Assert.Equal(HttpStatusCode.OK, right.StatusCode);
        Assert.False(refused.IsCompleted);
        await gone.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => refused);

        async Task<HttpResponseMessage> AskAsync(string basic, CancellationToken cancellation)
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, "/api/v1/admission");
            request.Headers.TryAddWithoutValidation("Authorization", "Basic " + basic);
            return await gateway.Client.SendAsync(request, cancellation);
        }
    }

    [Fact]
    public async Task Kestrel_LimitsMoved_AreTheKeys()
    {
        await using var gateway = await RunningGateway.StartAsync(
            "--Limits:MinHttpBytesPerSecond=7", "--Limits:HttpGracePeriod=00:01:00");
        var kestrel = gateway.Services.GetRequiredService<IOptions<KestrelServerOptions>>().Value.Limits;
        foreach (var rate in new[] { kestrel.MinRequestBodyDataRate, kestrel.MinResponseDataRate })
            Assert.Equal((7, TimeSpan.FromMinutes(1)), (rate!.BytesPerSecond, rate.GracePeriod));
    }

    [Fact]
    public async Task Kestrel_Limits_AreOurs()
    {
        await using var gateway = await RunningGateway.StartAsync();
        var kestrel = gateway.Services.GetRequiredService<IOptions<KestrelServerOptions>>().Value.Limits;
        var limits = new HttpLimits();

        Assert.Equal(limits.HttpHeaderDeadline, kestrel.RequestHeadersTimeout);
        Assert.Equal(limits.HttpKeepAliveTime, kestrel.KeepAliveTimeout);
        Assert.Equal(limits.MaxHttpBodyBytes, kestrel.MaxRequestBodySize);
        Assert.Equal(limits.MinHttpBytesPerSecond, kestrel.MinRequestBodyDataRate!.BytesPerSecond);
        Assert.Equal(limits.MinHttpBytesPerSecond, kestrel.MinResponseDataRate!.BytesPerSecond);
        Assert.Equal(limits.HttpGracePeriod, kestrel.MinResponseDataRate.GracePeriod);
    }
}
