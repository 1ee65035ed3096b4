using System.Globalization;
using System.Net.Sockets;
using System.Text;
using System.Text.RegularExpressions;
using Gateway.Codec.Types;
using Gateway.Testing;
using Gateway.Tests.Http;

namespace Gateway.Tests.Rest;

/// <summary>What a stream brings: at once, to a slow client, and to one that comes back.</summary>
[Collection(RestFixture.Name)]
public sealed class StreamTests(RestFixture fixture)
{
    private readonly RestGateway _gateway = fixture.Gateway;

    [Fact]
    public async Task Stream_Opened_BringsTheFirstValuesAtOnceAndWhatCannotBeWatched()
    {
        _gateway.Set("Float", new Variant(0.5f));
        // With an interval of an hour only the first batch comes.
        using var stream = await OpenAsync("interval=3600000", "ns=2;s=Float", "ns=2;s=Nowhere", "/Objects/2:Nowhere");

        var refused = await stream.TextAsync();
        var (id, first) = await stream.NextAsync();

        const string unknown = """{"node":"nsu=urn:gateway:simulator;s=Nowhere","status":"BadNodeIdUnknown"}""";
        const string unmatched = """{"node":"/Objects/2:Nowhere","status":"BadNoMatch"}""";
        Assert.Contains(refused, new[] { $"[{unknown},{unmatched}]", $"[{unmatched},{unknown}]" });
        Assert.EndsWith("-2", id, StringComparison.Ordinal);
        var value = Assert.Single(first.GetProperty("values").EnumerateArray());
        Assert.Equal("nsu=urn:gateway:simulator;s=Float", value.GetProperty("node").GetString());
        Assert.Equal(0.5, value.GetProperty("value").GetDouble());
        Assert.Equal("Float", value.GetProperty("type").GetString());
        Assert.Equal("Good", value.GetProperty("status").GetString());
        Assert.Equal("1970-01-01T00:00:00Z", value.GetProperty("sourceTimestamp").GetString());
        Assert.Equal(0, first.GetProperty("skipped").GetInt32());
    }

    [Fact]
    public async Task Stream_BatchLargerThanAnEvent_ComesInSeveral()
    {
        var nodes = new[] { "String", "String[]", "ByteString" };
        _gateway.Set("String", new Variant(new string('x', 70_000)));
        _gateway.Set("String[]", Variant.FromArray(
            BuiltInType.String, new[] { new string('y', 70_000), "z" }));
        _gateway.Set("ByteString", Variant.FromByteString(new byte[70_000]));
        using var stream = await OpenAsync("interval=3600000", [.. nodes.Select(node => "ns=2;s=" + node)]);

        for (var i = 1; i <= nodes.Length; i++)
        {
            var (id, json) = await stream.NextAsync();
            Assert.EndsWith("-" + i, id, StringComparison.Ordinal);
            Assert.Single(json.GetProperty("values").EnumerateArray());
        }
    }

    [Fact]
    public async Task Stream_ClientThatDoesNotRead_GetsTheNewestAndTheNumberOfTheOthersAndHoldsUpNobody()
    {
        _gateway.Set("String", new Variant("first"));
        using var fast = await OpenAsync("interval=10", "ns=2;s=String");
        using var slow = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        slow.ReceiveBufferSize = 4096;
        await slow.ConnectAsync(_gateway.Host.Client.BaseAddress!.Host, _gateway.Host.Client.BaseAddress.Port);
        await RunningGateway.SendAsync(
            slow, "GET /api/v1/stream?node=ns%3D2%3Bs%3DString&interval=10 HTTP/1.1\r\nHost: localhost\r\n" +
            $"Authorization: Basic {Convert.ToBase64String(Encoding.ASCII.GetBytes("observer:horse"))}\r\n\r\n");

        // 12 MB: more than the sockets hold.
        const int sets = 200;
        for (var i = 0; i < sets; i++)
        {
            _gateway.Set("String", new Variant(i + new string('x', 60_000)));
            while (!(await fast.TextAsync()).Contains($"\"value\":\"{i}x", StringComparison.Ordinal))
            {
            }
        }

        _gateway.Set("String", new Variant("last"));
        Assert.Contains("last", await fast.TextAsync(), StringComparison.Ordinal);
        var text = await ReadAsync(slow, "\"value\":\"last\"");

        var skipped = Regex.Matches(text, "\"skipped\":([0-9]+)")
            .Sum(match => int.Parse(match.Groups[1].ValueSpan, CultureInfo.InvariantCulture));
        Assert.InRange(skipped, 1, sets);
        Assert.InRange(Regex.Count(text, "\"value\":\""), 2, 2 + sets - skipped);
    }

    [Fact]
    public async Task Stream_ClientThatComesBack_GetsWhatItHasMissed()
    {
        _gateway.Set("Byte", new Variant((byte)1));
        string id;
        using (var stream = await OpenAsync("interval=100", "ns=2;s=Byte"))
        {
            id = (await stream.NextAsync()).Id;
            _gateway.Set("Byte", new Variant((byte)2));
            Assert.Equal(2, await stream.NumberAsync());
        }

        // The second event is sent again: the client says that it has only the first.
        using var again = await OpenAsync("interval=100", ["ns=2;s=Byte"], _gateway.Observer, id);
        Assert.Equal(2, await again.NumberAsync());
        _gateway.Set("Byte", new Variant((byte)3));
        Assert.Equal(id.Split('-')[0] + "-3", (await again.NextAsync()).Id);
    }

    [Fact]
    public async Task Stream_ClientThatComesBackBeforeItsConnectionHasEnded_TakesItOver()
    {
        _gateway.Set("UInt16", new Variant((ushort)1));
        using var stream = await OpenAsync("interval=100", "ns=2;s=UInt16");
        var (id, _) = await stream.NextAsync();

        using var again = await OpenAsync("interval=100", ["ns=2;s=UInt16"], _gateway.Observer, id);

        await Assert.ThrowsAnyAsync<IOException>(stream.TryNextAsync);
        _gateway.Set("UInt16", new Variant((ushort)2));
        Assert.Equal(2, await again.NumberAsync());
    }

    [Fact]
    public async Task Stream_IdOfAnotherUser_IsAStreamOfOnesOwn()
    {
        using var stream = await OpenAsync("interval=100", "ns=2;s=SByte");
        var (id, _) = await stream.NextAsync();

        using var other = await OpenAsync("interval=100", ["ns=2;s=SByte"], _gateway.Operator, id);

        Assert.NotEqual(id.Split('-')[0], (await other.NextAsync()).Id.Split('-')[0]);
    }

    /// <summary>More than a request line has room for.</summary>
    [Fact]
    public async Task Stream_Posted_WatchesAsManyNodesAsABodyHas()
    {
        const int count = 1_000;
        using var request = new HttpRequestMessage(HttpMethod.Post, "/api/v1/stream");
        var nodes = string.Join(',', Enumerable.Repeat("\"nsu=urn:gateway:simulator;s=Float\"", count));
        request.Content = new StringContent(
            $$"""{"nodes":[{{nodes}}],"interval":3600000}""", Encoding.UTF8, "application/json");
        using var answer = await _gateway.Observer.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);

        using var stream = await EventReader.OfAsync(answer);
        var seen = 0;
        while (seen < count)
            seen += (await stream.NextAsync()).Json.GetProperty("values").GetArrayLength();

        Assert.Equal(count, seen);
    }

    [Theory]
    [InlineData("""{"nodes":["i=2258"],"interval":0}""")]
    [InlineData("""{"interval":100}""")]
    [InlineData("""{"nodes":["i=2258"],"interval":"fast"}""")]
    public async Task Stream_PostedBadBody_IsAProblem(string body)
    {
        var (status, json) = await RestGateway.SendAsync(
            _gateway.Observer, HttpMethod.Post, "/api/v1/stream", body);

        Assert.Equal(400, status);
        Assert.Contains("expected", json.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    /// <summary>The id of the last event does not outweigh what the client asks for.</summary>
    [Fact]
    public async Task Stream_IdOfAStreamOfOtherNodes_IsAStreamOfThoseAskedFor()
    {
        using var stream = await OpenAsync("interval=100", "ns=2;s=UInt32");
        var (id, _) = await stream.NextAsync();

        using var other = await OpenAsync("interval=100", ["ns=2;s=UInt64"], _gateway.Observer, id);
        using var bad = await EventReader.RequestAsync(_gateway.Observer, "interval=0", ["ns=2;s=UInt32"], id);

        Assert.Contains("s=UInt64", await other.TextAsync(), StringComparison.Ordinal);
        Assert.Equal(400, (int)bad.StatusCode);
    }

    [Theory]
    [InlineData("?node=ns%3D2%3Bs%3DFloat&interval=0")]
    [InlineData("?node=ns%3D2%3Bs%3DFloat&interval=fast")]
    [InlineData("?node=ns%3D2%3Bs%3DFloat&interval=NaN")]
    [InlineData("?node=Float")]
    [InlineData("")]
    public async Task Stream_BadRequest_IsAProblem(string query)
    {
        var (status, json) = await RestGateway.GetAsync(_gateway.Observer, "/api/v1/stream" + query);

        Assert.Equal(400, status);
        Assert.Contains("expected", json.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    /// <summary>To the end of the event in which the text stands.</summary>
    private static async Task<string> ReadAsync(Socket peer, string until)
    {
        const int eventBytes = 1024;
        using var patience = new CancellationTokenSource(Patience.Limit);
        var (text, bytes, seen) = (new StringBuilder(), new byte[64 * 1024], "");
        while (seen.IndexOf(until, StringComparison.Ordinal) is var found &&
            (found < 0 || seen.IndexOf("}\n\n", found, StringComparison.Ordinal) < 0))
        {
            var count = await peer.ReceiveAsync(bytes, patience.Token);
            Assert.NotEqual(0, count);
            var part = Encoding.ASCII.GetString(bytes, 0, count);
            text.Append(part);
            seen = seen[^Math.Min(seen.Length, eventBytes)..] + part;
        }

        return text.ToString();
    }

    private Task<EventReader> OpenAsync(string query, params string[] nodes) =>
        OpenAsync(query, nodes, _gateway.Observer, null);

    private static Task<EventReader> OpenAsync(string query, string[] nodes, HttpClient client, string? lastId) =>
        EventReader.OpenAsync(client, query, nodes, lastId);
}
