using System.Net;
using Gateway.Codec.Types;
using Gateway.Publish;
using Gateway.Testing;
using Gateway.Tests.Http;
using Gateway.Tests.Sockets;

namespace Gateway.Tests.Rest;

/// <summary>What bounds streams, and what ends them.</summary>
public sealed class StreamLimitTests
{
    private const string Hour = "interval=3600000";

    private static readonly string[] Int32 = ["ns=2;s=Int32"];

    [Theory]
    [InlineData("MaxHttpStreamsPerUser", true)]
    [InlineData("MaxHttpStreamsPerAddress", false)]
    [InlineData("MaxHttpStreams", false)]
    public async Task Stream_OneTooMany_429UntilOneOfTheOthersHasGone(string limit, bool isOfSameUser)
    {
        await using var gateway = await RestGateway.StartAsync($"--Limits:{limit}=1");
        var second = isOfSameUser ? gateway.Observer : gateway.Operator;
        var first = await EventReader.OpenAsync(gateway.Observer, Hour, Int32);
        await first.NextAsync();

        using (var refused = await EventReader.RequestAsync(second, Hour, Int32))
        {
            Assert.Equal(HttpStatusCode.TooManyRequests, refused.StatusCode);
            Assert.NotNull(refused.Headers.RetryAfter);
            var problem = await RestGateway.JsonOf(refused);
            Assert.Equal("BadTooManySubscriptions", problem.GetProperty("statusCode").GetString());
            Assert.EndsWith($" {limit} allows", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        }

        if (isOfSameUser)
        {
            using var other = await EventReader.OpenAsync(gateway.Operator, Hour, Int32);
            await other.NextAsync();
        }

        // It could come back, but makes room.
        first.Dispose();
        for (var status = HttpStatusCode.TooManyRequests; status != HttpStatusCode.OK;)
        {
            using var answer = await EventReader.RequestAsync(second, Hour, Int32);
            status = answer.StatusCode;
        }
    }

    /// <summary>The new one takes the place of the one before (docs/websockets.md): it needs none of its own.</summary>
    [Theory]
    [InlineData("MaxHttpStreamsPerUser")]
    [InlineData("MaxHttpStreamsPerAddress")]
    [InlineData("MaxHttpStreams")]
    public async Task Socket_EventsAgainAtTheCap_ReplaceThoseBefore(string limit)
    {
        await using var gateway = await RestGateway.StartAsync($"--Limits:{limit}=1");
        using var client = await LiveClient.OpenAsync(gateway, gateway.Observer);
        for (var i = 1; i <= 3; i++)
        {
            var answer = await client.AskAsync(
                $$"""{"op":"subscribeEvents","id":{{i}},"minSeverity":{{1000 - i}},"interval":3600000}""");
            Assert.Equal("subscribedEvents", answer.GetProperty("op").GetString());
        }

        // A bad one leaves the one before, which keeps the place.
        Assert.Equal("error", (await client.AskAsync(
            """{"op":"subscribeEvents","source":"ns=2;s=Nowhere"}""")).GetProperty("op").GetString());
        using (var refused = await EventReader.RequestAsync(gateway.Observer, Hour, Int32))
            Assert.Equal(HttpStatusCode.TooManyRequests, refused.StatusCode);
        await client.AskAsync("""{"op":"unsubscribeEvents"}""");
        using var free = await EventReader.OpenAsync(gateway.Observer, Hour, Int32);
        await free.NextAsync();
    }

    /// <summary>Of six places one address and one user get five.</summary>
    [Fact]
    public async Task Stream_LastSixthOfMaxHttpStreams_ForOthersOnly()
    {
        await using var gateway = await RestGateway.StartAsync("--Limits:MaxHttpStreams=6");
        var streams = new List<EventReader>();
        for (var i = 0; i < 5; i++)
            streams.Add(await EventReader.OpenAsync(gateway.Observer, Hour, Int32));

        using (var sixth = await EventReader.RequestAsync(gateway.Observer, Hour, Int32))
            Assert.Equal(HttpStatusCode.TooManyRequests, sixth.StatusCode);
        using var elsewhere = gateway.ClientAt(IPAddress.Parse("127.0.0.2"), gateway.Operator);
        using var other = await EventReader.OpenAsync(elsewhere, Hour, Int32);

        await other.NextAsync();
        streams.ForEach(static stream => stream.Dispose());
    }

    [Fact]
    public async Task Stream_ClientThatTakesNothing_ItsConnectionEndsAtWriteDeadline()
    {
        await using var gateway = await RestGateway.StartAsync(
            "--Limits:WriteDeadline=00:00:01", "--Limits:HttpStreamResumeTime=00:00:00.010");
        gateway.Set("String", new Variant(new string('x', 4_000_000)));
        using var slow = await gateway.Host.ConnectAsync();
        slow.ReceiveBufferSize = 4096;
        await RunningGateway.SendAsync(
            slow, "GET /api/v1/stream?node=ns%3D2%3Bs%3DString&interval=10 HTTP/1.1\r\nHost: localhost\r\n" +
            $"Authorization: {gateway.Observer.DefaultRequestHeaders.Authorization}\r\n\r\n");

        using var patience = new CancellationTokenSource(Patience.Limit);
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(10));
        var counters = gateway.Host.Get<PublishEngine>().Counters;
        while (counters.Streams == 0)
            await look.WaitForNextTickAsync(patience.Token);
        // 4 MB each: soon more than the sockets hold.
        for (var i = 0; counters.Streams > 0; i++)
        {
            gateway.Set("String", new Variant(i + new string('x', 4_000_000)));
            await look.WaitForNextTickAsync(patience.Token);
        }

        Assert.False(patience.IsCancellationRequested);
    }

    [Theory]
    [InlineData("--Limits:MaxHttpStreamEvents=1")]
    [InlineData("--Limits:MaxHttpStreamHistoryBytes=100")]
    public async Task Stream_ClientThatComesBackTooFarBehind_GetsAllAnew(string limit)
    {
        await using var gateway = await RestGateway.StartAsync(limit);
        string[] nodes = ["ns=2;s=Int32", "ns=2;s=Int16", "ns=2;s=Nowhere"];
        gateway.Set("Int32", new Variant(1));
        string id;
        using (var stream = await EventReader.OpenAsync(gateway.Observer, "interval=50", nodes))
        {
            id = (await stream.NextAsync()).Id;
            await stream.NextAsync();
            gateway.Set("Int32", new Variant(2));
            Assert.Equal(2, await stream.NumberAsync());
        }

        using var again = await EventReader.OpenAsync(gateway.Observer, "interval=50", nodes, id);

        Assert.Contains("Nowhere", await again.TextAsync(), StringComparison.Ordinal);
        var (next, json) = await again.NextAsync();
        Assert.Equal(id.Split('-')[0] + "-5", next);
        Assert.Equal(2, json.GetProperty("values").GetArrayLength());
    }

    [Fact]
    public async Task Stream_ClientThatComesBackTooLate_GetsAStreamAnew()
    {
        await using var gateway = await RestGateway.StartAsync("--Limits:HttpStreamResumeTime=00:00:00.010");
        string id;
        using (var stream = await EventReader.OpenAsync(gateway.Observer, Hour, Int32))
            id = (await stream.NextAsync()).Id;
        using var patience = new CancellationTokenSource(Patience.Limit);
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(10));
        while (gateway.Host.Get<PublishEngine>().Counters.Streams > 0)
            await look.WaitForNextTickAsync(patience.Token);

        using var again = await EventReader.OpenAsync(gateway.Observer, Hour, Int32, id);

        var (next, _) = await again.NextAsync();
        Assert.EndsWith("-1", next, StringComparison.Ordinal);
        Assert.NotEqual(id, next);
    }

    [Fact]
    public async Task Stream_Quiet_HasComments()
    {
        await using var gateway = await RestGateway.StartAsync("--Limits:HttpStreamHeartbeat=00:00:00.050");
        using var stream = await EventReader.OpenAsync(gateway.Observer, Hour, Int32);
        await stream.NextAsync();

        for (var i = 0; i < 2; i++)
        {
            Assert.Equal(":", await stream.LineAsync());
            Assert.Equal("", await stream.LineAsync());
        }
    }

    [Fact]
    public async Task Stream_CacheFull_GoesOnWithTheSameValues()
    {
        await using var gateway = await RestGateway.StartAsync("--Limits:MaxHttpStreamCacheBytes=100");
        using var one = await EventReader.OpenAsync(gateway.Observer, "interval=50", Int32);
        using var other = await EventReader.OpenAsync(gateway.Operator, "interval=50", Int32);
        await one.NextAsync();
        await other.NextAsync();

        for (var i = 1; i <= 5; i++)
        {
            gateway.Set("Int32", new Variant(i));
            Assert.Equal(i, await one.NumberAsync());
            Assert.Equal(i, await other.NumberAsync());
        }
    }

    [Fact]
    public async Task Stream_ServerStops_EndsAndTheStopDoesNotWaitForIt()
    {
        await using var gateway = await RestGateway.StartAsync();
        using var stream = await EventReader.OpenAsync(gateway.Observer, Hour, Int32);
        await stream.NextAsync();

        await gateway.Host.StopAsync().WaitAsync(Patience.Limit);

        Assert.Null(await stream.TryNextAsync());
    }
}
