using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Net.WebSockets;
using System.Text;
using Gateway.Publish;
using Gateway.Rest.Sockets;
using Gateway.Testing;
using Gateway.Tests.Clock;
using Gateway.Tests.Http;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Sockets;

/// <summary>The limits of a WebSocket and its ends: a close code for its peer, a counter for the operator, and nothing
/// for anybody else.</summary>
public sealed class LiveLimitTests
{
    private const string Ping = """{"op":"ping"}""";

    [Theory]
    [InlineData("MaxHttpWebSockets", 503)]
    [InlineData("MaxHttpWebSocketsPerAddress", 429)]
    public async Task Open_OneTooMany_RefusedUntilTheOtherHasGone(string limit, int status)
    {
        await using var gateway = await RestGateway.StartAsync($"--Limits:{limit}=1");
        using (var first = await LiveClient.OpenAsync(gateway, gateway.Observer))
        {
            await first.AskAsync(Ping);
            Assert.Equal(status, await LiveClient.RefusedAsync(gateway, static _ => { }));
            using var values = await gateway.Observer.GetAsync("/api/v1/values?node=i%3D2258");
            Assert.Equal(HttpStatusCode.OK, values.StatusCode);
        }

        await WaitAsync(() => gateway.Host.Get<SocketCounters>().Open == 0);
        using var next = await LiveClient.OpenAsync(gateway, gateway.Observer);
        await next.AskAsync(Ping);
    }

    /// <summary>Streams of WebSockets and of Server-Sent Events are counted together.</summary>
    [Fact]
    public async Task Subscribe_MaxHttpStreams_ErrorAndTheSocketStays()
    {
        await using var gateway = await RestGateway.StartAsync("--Limits:MaxHttpStreams=1");
        using var stream = await EventReader.OpenAsync(gateway.Observer, "interval=3600000", ["ns=2;s=Int32"]);
        using var client = await LiveClient.OpenAsync(gateway, gateway.Operator);

        var error = await client.AskAsync("""{"op":"subscribe","nodes":["ns=2;s=Int32"]}""");

        Assert.Equal("BadTooManySubscriptions", error.GetProperty("statusCode").GetString());
        Assert.Equal("pong", (await client.AskAsync(Ping)).GetProperty("op").GetString());
    }

    [Fact]
    public async Task Close_OfAWebSocketThatWatches_ItsStreamEnds()
    {
        await using var gateway = await RestGateway.StartAsync();
        using (var client = await LiveClient.OpenAsync(gateway, gateway.Observer))
        {
            await client.AskAsync("""{"op":"subscribe","nodes":["ns=2;s=Int32"]}""");
            Assert.Equal(1, gateway.Host.Get<PublishEngine>().Counters.Streams);
            await client.Socket.CloseAsync(WebSocketCloseStatus.NormalClosure, "", CancellationToken.None)
                .WaitAsync(Patience.Limit);
        }

        await WaitAsync(() => gateway.Host.Get<PublishEngine>().Counters.Streams == 0);
        await WaitAsync(() => gateway.Host.Get<SocketCounters>().EndedBy(SocketEnd.Closed) == 1);
    }

    [Fact]
    public async Task Vanish_WithoutAClose_ItsStreamEnds()
    {
        await using var gateway = await RestGateway.StartAsync();
        using (var client = await LiveClient.OpenAsync(gateway, gateway.Observer))
        {
            await client.AskAsync("""{"op":"subscribe","nodes":["ns=2;s=Int32"]}""");
            client.Socket.Abort();
        }

        await WaitAsync(() => gateway.Host.Get<PublishEngine>().Counters.Streams == 0);
        await WaitAsync(() => gateway.Host.Get<SocketCounters>().EndedBy(SocketEnd.Lost) == 1);
    }

    [Fact]
    public async Task Message_Binary_1003()
    {
        await using var gateway = await RestGateway.StartAsync();
        using var client = await LiveClient.OpenAsync(gateway, gateway.Observer);

        await client.SendAsync(Encoding.UTF8.GetBytes(Ping), WebSocketMessageType.Binary, true);

        Assert.Equal(1003, await client.ClosedAsync());
        await CountsAsync(gateway, SocketEnd.WrongKind);
    }

    [Fact]
    public async Task Message_LargerThanMaxHttpBodyBytes_1009()
    {
        await using var gateway = await RestGateway.StartAsync("--Limits:MaxHttpBodyBytes=1000");
        using var client = await LiveClient.OpenAsync(gateway, gateway.Observer);
        await client.AskAsync($$"""{"op":"ping","id":1}{{new string(' ', 900)}}""");

        await client.SendAsync(new byte[8_000], WebSocketMessageType.Text, false);

        Assert.Equal(1009, await client.ClosedAsync());
        await CountsAsync(gateway, SocketEnd.TooLarge);
    }

    [Fact]
    public async Task Message_InManyFragments_IsOneMessage()
    {
        await using var gateway = await RestGateway.StartAsync();
        using var client = await LiveClient.OpenAsync(gateway, gateway.Observer);
        var text = Encoding.UTF8.GetBytes($$"""{"op":"ping","id":"ä{{new string('x', 100)}}"}""");

        for (var i = 0; i < text.Length; i++)
            await client.SendAsync([text[i]], WebSocketMessageType.Text, i == text.Length - 1);

        Assert.Equal("pong", (await client.NextAsync()).GetProperty("op").GetString());
    }

    [Fact]
    public async Task Message_ThatNeverEnds_1008AfterHttpRequestTimeout()
    {
        await using var gateway = await RestGateway.StartAsync("--Limits:HttpRequestTimeout=00:00:00.100");
        using var client = await LiveClient.OpenAsync(gateway, gateway.Observer);

        await client.SendAsync("{"u8.ToArray(), WebSocketMessageType.Text, false);

        Assert.Equal(1008, await client.ClosedAsync());
        await CountsAsync(gateway, SocketEnd.TooSlow);
    }

    [Theory]
    [InlineData("HttpWebSocketLoginTime", SocketEnd.LoginTime)]
    [InlineData("HttpWebSocketIdleTime", SocketEnd.Idle)]
    public async Task Silence_1008AfterItsTime(string limit, SocketEnd end)
    {
        await using var gateway = await RestGateway.StartAsync($"--Limits:{limit}=00:00:00.100");
        using var client = end == SocketEnd.Idle
            ? await LiveClient.OpenAsync(gateway, gateway.Observer)
            : await LiveClient.OpenStrangerAsync(gateway);

        Assert.Equal(1008, await client.ClosedAsync());
        await CountsAsync(gateway, end);
    }

    [Fact]
    public async Task Quiet_ThatWatches_StaysAndHasHeartbeats()
    {
        await using var gateway = await RestGateway.StartAsync(
            "--Limits:HttpWebSocketIdleTime=00:00:02", "--Limits:HttpStreamHeartbeat=00:00:01");
        using var client = await LiveClient.OpenAsync(gateway, gateway.Observer);
        await client.AskAsync("""{"op":"subscribe","nodes":["ns=2;s=Int32"],"interval":3600000}""");
        await client.NextAsync();

        for (var i = 0; i < 3; i++)
            Assert.Equal("""{"op":"heartbeat"}""", await client.TryTextAsync());
    }

    [Fact]
    public async Task Ops_MoreThanTheirRate_ErrorsThen1008()
    {
        var time = new MovedTime();
        await using var gateway = await RestGateway.StartAsync(time, [], "--Limits:MaxHttpWebSocketOpsPerSecond=1");
        using var client = await LiveClient.OpenAsync(gateway, gateway.Observer);
        time.Hold();
        var errors = 0;
        for (var i = 0; errors == 0; i++)
        {
            var answer = await client.AskAsync($$"""{"op":"ping","id":{{i}}}""");
            Assert.Equal(i, answer.GetProperty("id").GetInt32());
            if (answer.TryGetProperty("statusCode", out var status))
            {
                Assert.Equal("BadTooManyOperations", status.GetString());
                errors++;
            }
        }

        Assert.InRange(gateway.Host.Get<SocketCounters>().RateRefused, 1, 1);
        for (var i = 0; i < 10; i++)
            await client.SendAsync(Ping);
        Assert.Equal(1008, await client.ClosedAsync());
        await CountsAsync(gateway, SocketEnd.OpRate);
    }

    /// <summary>The framework answers pings by itself and counts none of them.</summary>
    [Theory]
    [InlineData(0x89)]
    [InlineData(0x8A)]
    [InlineData(0x00)]
    public async Task Frames_WithoutDataAboveTheirRate_1008(byte first)
    {
        await using var gateway = await RestGateway.StartAsync("--Limits:MaxHttpWebSocketControlFramesPerSecond=5");
        using var peer = await UpgradeAsync(gateway);
        if (first == 0)
            await peer.SendAsync(new byte[] { 0x01, 0x81, 0, 0, 0, 0, (byte)'{' });
        var frames = Enumerable.Range(0, 100).SelectMany(_ => new byte[] { first, 0x80, 0, 0, 0, 0 }).ToArray();

        await peer.SendAsync(frames);

        Assert.Equal(1008, await CloseCodeAsync(peer));
        peer.Dispose();
        await CountsAsync(gateway, SocketEnd.ControlFrames);
    }

    [Theory]
    [InlineData(new byte[] { 0x81, 0x01, (byte)'x' })]
    [InlineData(new byte[] { 0xF1, 0x80, 0, 0, 0, 0 })]
    [InlineData(new byte[] { 0x83, 0x80, 0, 0, 0, 0 })]
    [InlineData(new byte[] { 0x80, 0x80, 0, 0, 0, 0 })]
    [InlineData(new byte[] { 0x81, 0x81, 0, 0, 0, 0, 0xFF })]
    public async Task Frames_ThatAreNoWebSockets_TheConnectionEndsAndIsCounted(byte[] frame)
    {
        await using var gateway = await RestGateway.StartAsync();
        using var peer = await UpgradeAsync(gateway);

        await peer.SendAsync(frame);

        Assert.Contains(await CloseCodeAsync(peer), new[] { 1002, 1007 });
        peer.Dispose();
        await CountsAsync(gateway, SocketEnd.Malformed);
    }

    [Fact]
    public async Task Stop_OfTheGateway_1001ForWatchersAndOthers()
    {
        await using var gateway = await RestGateway.StartAsync();
        using var watcher = await LiveClient.OpenAsync(gateway, gateway.Observer);
        using var other = await LiveClient.OpenAsync(gateway, gateway.Observer);
        await watcher.AskAsync("""{"op":"subscribe","nodes":["ns=2;s=Int32"],"interval":3600000}""");
        await watcher.NextAsync();
        await other.AskAsync(Ping);

        var stopped = gateway.Host.StopAsync();

        Assert.Equal(1001, await watcher.ClosedAsync());
        Assert.Equal(1001, await other.ClosedAsync());
        watcher.Dispose();
        other.Dispose();
        await stopped.WaitAsync(Patience.Limit);
    }

    private static async Task<Socket> UpgradeAsync(RestGateway gateway)
    {
        var peer = await gateway.Host.ConnectAsync();
        await RunningGateway.SendAsync(
            peer, "GET /api/v1/ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n");
        var head = new StringBuilder();
        var one = new byte[1];
        while (!head.ToString().EndsWith("\r\n\r\n", StringComparison.Ordinal))
        {
            Assert.Equal(1, await peer.ReceiveAsync(one).WaitAsync(Patience.Limit));
            head.Append((char)one[0]);
        }

        Assert.StartsWith("HTTP/1.1 101", head.ToString(), StringComparison.Ordinal);
        return peer;
    }

    private static byte[] Frame(string text) =>
        [0x81, (byte)(0x80 | text.Length), 0, 0, 0, 0, .. Encoding.ASCII.GetBytes(text)];

    /// <summary>Of the close frame among what the gateway sends; pongs are passed over.</summary>
    private static async Task<int> CloseCodeAsync(Socket peer)
    {
        using var stream = new NetworkStream(peer);
        var frame = new byte[127];
        while (true)
        {
            await stream.ReadExactlyAsync(frame.AsMemory(0, 2)).AsTask().WaitAsync(Patience.Limit);
            var length = frame[1] & 0x7F;
            var isClose = (frame[0] & 0x0F) == 8;
            await stream.ReadExactlyAsync(frame.AsMemory(0, length)).AsTask().WaitAsync(Patience.Limit);
            if (isClose)
                return BinaryPrimitives.ReadUInt16BigEndian(frame);
        }
    }

    private static async Task CountsAsync(RestGateway gateway, SocketEnd end)
    {
        var book = gateway.Host.Get<SocketCounters>();
        await WaitAsync(() => book is { Open: 0 } && Enum.GetValues<SocketEnd>().Any(one => book.EndedBy(one) > 0));
        Assert.Equal([end], Enum.GetValues<SocketEnd>().Where(one => book.EndedBy(one) > 0));
        Assert.Equal(1, book.EndedBy(end));
    }

    private static async Task WaitAsync(Func<bool> condition)
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(10));
        while (!condition())
            await look.WaitForNextTickAsync(patience.Token);
    }
}
