using System.Globalization;
using System.Net.Sockets;
using Gateway.Codec.Types;
using Gateway.Server;
using Gateway.Sources;
using Gateway.Testing;
using Gateway.Tests.Drivers;
using Gateway.Tests.Http;

namespace Gateway.Tests.Rest;

/// <summary>What requests hold counts as long as they hold it (R04, R43), and their work is bounded (R44).
/// </summary>
[Collection(OwnMetrics.Name)]
public sealed class HttpMemoryTests
{
    private const int Nodes = 900;
    private const int ValueBytes = 32 * 1024;

    /// <summary>Each value is small; together they wait for a client that takes nothing.</summary>
    [Fact]
    public async Task Read_ValuesOfASourceForAClientThatTakesNothing_CountUntilItHasGone()
    {
        var made = new TaskCompletionSource<LateDriver>();
        await using var gateway = await RestGateway.StartAsync(
            [Late(made)], "--Limits:WriteDeadline=00:05:00",
            "--Limits:MaxHttpAnswersBytes=" + (40 * 1024 * 1024).ToString(CultureInfo.InvariantCulture));
        // The documents that DescribedAnswers reads come first: later the gateway has no memory for them.
        Assert.Equal(200, (await RestGateway.GetAsync(gateway.Observer, "/api/v1/info")).Status);
        using var slow = await gateway.Host.ConnectAsync();
        slow.ReceiveBufferSize = 4096;
        await SendReadAsync(gateway, slow);
        var driver = await made.Task;
        await driver.Asked;

        driver.Answer(Variant.FromByteString(new byte[ValueBytes]));

        await OwnMetrics.UntilAsync(
            gateway.Host, "gateway_http_answers_bytes", static held => held >= Nodes * ValueBytes);
        var (status, problem) = await RestGateway.SendAsync(
            gateway.Observer, HttpMethod.Post, "/api/v1/values/read", ReadBody);
        Assert.Equal((503, "BadOutOfMemory"), (status, problem.GetProperty("statusCode").GetString()));
        slow.Close(0);
        await OwnMetrics.UntilAsync(gateway.Host, "gateway_http_answers_bytes", static held => held == 0);
    }

    /// <summary>A path is 50 times its text: what it becomes counts while it waits for its turn.</summary>
    [Fact]
    public async Task Read_PathsThatWaitForASource_CountInTheBudgetOfDecodedRequests()
    {
        var made = new TaskCompletionSource<LateDriver>();
        await using var gateway = await RestGateway.StartAsync(
            [Late(made)], "--Limits:MaxDecodedBytes=2097152");
        var path = string.Concat(Enumerable.Repeat("/a", 64));
        var body = $$"""
            {"nodes":[{{string.Join(',', Enumerable.Repeat($"\"{path}\"", 100))}},"{{LateDriver.Node}}"]}
            """;
        var first = RestGateway.SendAsync(gateway.Observer, HttpMethod.Post, "/api/v1/values/read", body);
        var driver = await made.Task;
        await driver.Asked;
        Assert.InRange(gateway.Host.Get<GatewayServer>().Decoding.Bytes, 64 * 100 * 40, long.MaxValue);

        // The last sixth is for others, and this is one of the same address.
        var (refused, problem) = await RestGateway.SendAsync(
            gateway.Observer, HttpMethod.Post, "/api/v1/values/read", body);

        Assert.Equal((503, "BadOutOfMemory"), (refused, problem.GetProperty("statusCode").GetString()));
        driver.Answer(new Variant(1.5));
        Assert.Equal(200, (await first).Status);
        // The client may have its answer a moment earlier.
        await OwnMetrics.UntilAsync(gateway.Host, "gateway_decoding_bytes", static held => held == 0);
    }

    [Theory]
    [InlineData(64, 200)]
    [InlineData(65, 400)]
    public async Task Read_PathOfMoreElementsThanPeopleBrowse_400(int elements, int expected)
    {
        await using var gateway = await RestGateway.StartAsync();

        var (status, _) = await RestGateway.GetAsync(
            gateway.Observer,
            RestGateway.Query("/api/v1/values", string.Concat(Enumerable.Repeat("/a", elements))));

        Assert.Equal(expected, status);
    }

    [Theory]
    [InlineData("application/json")]
    [InlineData("text/csv")]
    public async Task Read_MoreWorkThanOneRequestMayMake_TheRestHasAStatus(string accept)
    {
        await using var gateway = await RestGateway.StartAsync("--Limits:MaxWorkPerRequest=2000");
        gateway.Set("String", new Variant(new string('x', 1_000)));
        using var request = new HttpRequestMessage(
            HttpMethod.Get, RestGateway.Query("/api/v1/values", [.. Enumerable.Repeat("ns=2;s=String", 500)]));
        request.Headers.TryAddWithoutValidation("Accept", accept);

        using var answer = await gateway.Observer.SendAsync(request);

        var text = await answer.Content.ReadAsStringAsync();
        var values = text.Split("xxx\"").Length + text.Split("xxx,String").Length - 2;
        Assert.InRange(values, 50, 200);
        Assert.Equal(500 - values, text.Split("BadResponseTooLarge").Length - 1);
    }

    [Fact]
    public async Task Stream_NodesAboveMaxHttpStreamsBytes_503UntilAnotherHasGone()
    {
        await using var gateway = await RestGateway.StartAsync("--Limits:MaxHttpStreamsBytes=1000000");
        var body = $$"""
            {"nodes":[{{string.Join(',', Enumerable.Range(0, 1_000).Select(
                static i => $"\"ns=2;s={i:D90}\""))}}],"interval":3600000}
            """;
        var first = await OpenAsync(gateway, body);
        Assert.Equal(200, (int)first.StatusCode);
        await OwnMetrics.UntilAsync(gateway.Host, "gateway_http_streams_bytes", static held => held >= 400_000);
        // Of the request itself nothing is left.
        Assert.Equal(0, gateway.Host.Get<GatewayServer>().Decoding.Bytes);

        using (var second = await OpenAsync(gateway, body))
        {
            Assert.Equal(503, (int)second.StatusCode);
            Assert.Equal("BadOutOfMemory", (await RestGateway.JsonOf(second)).GetProperty("statusCode").GetString());
        }

        // It could come back, but makes room.
        first.Dispose();
        using var patience = new CancellationTokenSource(Patience.Limit);
        for (var isOpen = false; !isOpen;)
        {
            patience.Token.ThrowIfCancellationRequested();
            using var next = await OpenAsync(gateway, body);
            isOpen = next.IsSuccessStatusCode;
        }
    }

    private static string ReadBody { get; } =
        $$"""{"nodes":[{{string.Join(',', Enumerable.Repeat($"\"{LateDriver.Node}\"", Nodes))}}]}""";

    private static SourceDriverRegistration Late(TaskCompletionSource<LateDriver> made) => new(
        "Late",
        context =>
        {
            var driver = new LateDriver(context);
            made.SetResult(driver);
            return driver;
        });

    private static Task SendReadAsync(RestGateway gateway, Socket peer) => RunningGateway.SendAsync(
        peer,
        "POST /api/v1/values/read HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n" +
        $"Authorization: {gateway.Observer.DefaultRequestHeaders.Authorization}\r\n" +
        $"Content-Length: {ReadBody.Length}\r\n\r\n{ReadBody}");

    private static async Task<HttpResponseMessage> OpenAsync(RestGateway gateway, string body)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, "/api/v1/stream");
        request.Content = new StringContent(body, System.Text.Encoding.UTF8, "application/json");
        return await gateway.Observer.SendAsync(request, HttpCompletionOption.ResponseHeadersRead)
            .WaitAsync(Patience.Limit);
    }
}
