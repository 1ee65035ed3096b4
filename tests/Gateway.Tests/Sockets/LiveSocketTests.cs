using System.Text.Json;
using Gateway.Codec.Types;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Sockets;

/// <summary>What a client says over <c>/api/v1/ws</c>, and what it is told.</summary>
[Collection(RestFixture.Name)]
public sealed class LiveSocketTests(RestFixture fixture)
{
    private RestGateway Gateway => fixture.Gateway;

    [Fact]
    public async Task Subscribe_KnownAndUnknownNodes_ResultsInOrderThenValuesThenChanges()
    {
        Gateway.Set("SByte", new Variant((sbyte)1));
        using var client = await LiveClient.OpenAsync(Gateway, Gateway.Observer);

        var answer = await client.AskAsync(
            """{"op":"subscribe","id":7,"nodes":["ns=2;s=Nowhere","ns=2;s=SByte"],"interval":20}""");

        Assert.Equal(
            """[{"node":"nsu=urn:gateway:simulator;s=Nowhere","status":"BadNodeIdUnknown"},"""
            + """{"node":"nsu=urn:gateway:simulator;s=SByte","status":"Good"}]""",
            answer.GetProperty("results").GetRawText());
        Assert.Equal(("subscribed", 7), (answer.GetProperty("op").GetString(), answer.GetProperty("id").GetInt32()));
        Assert.Equal(20, answer.GetProperty("interval").GetDouble());
        var first = await client.NextAsync();
        var entry = Assert.Single(first.GetProperty("values").EnumerateArray());
        Assert.Equal("nsu=urn:gateway:simulator;s=SByte", entry.GetProperty("node").GetString());
        Assert.Equal(("SByte", 1), (entry.GetProperty("type").GetString(), entry.GetProperty("value").GetInt32()));
        Assert.Equal(0, first.GetProperty("skipped").GetInt32());
        for (sbyte i = 2; i < 5; i++)
        {
            Gateway.Set("SByte", new Variant(i));
            Assert.Equal(i, await client.NumberAsync());
        }
    }

    [Fact]
    public async Task Subscribe_AgainAndByPath_EachNodeIsWatchedOnce()
    {
        using var client = await LiveClient.OpenAsync(Gateway, Gateway.Observer);
        await client.AskAsync("""{"op":"subscribe","nodes":["ns=2;s=Byte","ns=2;s=Byte"],"interval":20}""");
        await client.NumberAsync();

        var answer = await client.AskAsync(
            """{"op":"subscribe","nodes":["nsu=urn:gateway:simulator;s=Byte","/Objects/2:Nowhere"]}""");

        Assert.Equal(
            ["Good", "BadNoMatch"],
            answer.GetProperty("results").EnumerateArray().Select(one => one.GetProperty("status").GetString()));
        Gateway.Set("Byte", new Variant((byte)77));
        Assert.Equal(77, await client.NumberAsync());
    }

    [Fact]
    public async Task Unsubscribe_OneNodeThenAll_NothingMoreOfThem()
    {
        using var client = await LiveClient.OpenAsync(Gateway, Gateway.Observer);
        await client.AskAsync("""{"op":"subscribe","nodes":["ns=2;s=UInt16","ns=2;s=UInt32"],"interval":20}""");
        Assert.Equal(2, (await client.NextAsync()).GetProperty("values").GetArrayLength());

        var answer = await client.AskAsync("""{"op":"unsubscribe","nodes":["ns=2;s=UInt16","ns=2;s=Int64"]}""");

        Assert.Equal(
            ["Good", "BadNoEntryExists"],
            answer.GetProperty("results").EnumerateArray().Select(one => one.GetProperty("status").GetString()));
        Gateway.Set("UInt16", new Variant((ushort)5));
        Gateway.Set("UInt32", new Variant(6u));
        Assert.Equal(6, await client.NumberAsync());
        await client.AskAsync("""{"op":"unsubscribe"}""");
        Gateway.Set("UInt32", new Variant(7u));
        Assert.Equal("pong", (await client.AskAsync("""{"op":"ping"}""")).GetProperty("op").GetString());
        // Watched anew: its present value comes once more.
        await client.AskAsync("""{"op":"subscribe","nodes":["ns=2;s=UInt32"]}""");
        Assert.Equal(7, await client.NumberAsync());
    }

    [Fact]
    public async Task Rate_FromAnHourToShort_ChangesComeAtOnce()
    {
        using var client = await LiveClient.OpenAsync(Gateway, Gateway.Observer);
        await client.AskAsync("""{"op":"subscribe","nodes":["ns=2;s=Float"],"interval":3600000}""");
        await client.NextAsync();

        var answer = await client.AskAsync("""{"op":"rate","id":"r","interval":20}""");

        Assert.Equal(("rate", 20), (answer.GetProperty("op").GetString(), answer.GetProperty("interval").GetDouble()));
        Gateway.Set("Float", new Variant(3f));
        Assert.Equal(3, await client.NumberAsync());
    }

    [Fact]
    public async Task Write_AsPut_ConvertedCheckedAndRefusedInTheSameWay()
    {
        using var client = await LiveClient.OpenAsync(Gateway, Gateway.Operator);

        var answer = await client.AskAsync(
            """{"op":"write","id":1,"values":[{"node":"ns=2;s=Int16","value":7},"""
            + """{"node":"ns=2;s=Byte","value":300}]}""");

        Assert.Equal(
            """{"op":"written","id":1,"results":[{"node":"nsu=urn:gateway:simulator;s=Int16","status":"Good"},"""
            + """{"node":"nsu=urn:gateway:simulator;s=Byte","status":"BadTypeMismatch","""
            + "\"message\":\"expected Byte, 0 … 255\"}]}",
            answer.GetRawText());
        Assert.Equal(7, Gateway.Read("Int16").Value.AsInt32());
        using var observer = await LiveClient.OpenAsync(Gateway, Gateway.Observer);
        var refused = await observer.AskAsync(
            """{"op":"write","values":[{"node":"ns=2;s=Int16","value":8}]}""");
        Assert.Equal(
            "BadUserAccessDenied", refused.GetProperty("results")[0].GetProperty("status").GetString());
        Assert.Equal(7, Gateway.Read("Int16").Value.AsInt32());
    }

    [Theory]
    [InlineData("5")]
    [InlineData("-1.5e3")]
    [InlineData("\"a \\u00e4 b\"")]
    public async Task Ping_AnyId_ComesBackAsItWas(string id)
    {
        using var client = await LiveClient.OpenAsync(Gateway, Gateway.Observer);

        var answer = await client.AskAsync($$"""{"id":{{id}},"op":"ping"}""");

        Assert.Equal(id, answer.GetProperty("id").GetRawText());
    }

    [Theory]
    [InlineData("hello", "BadDecodingError")]
    [InlineData("", "BadDecodingError")]
    [InlineData("[]", "BadDecodingError")]
    [InlineData("""{"id":9}""", "BadDecodingError")]
    [InlineData("""{"id":9,"op":"read"}""", "BadDecodingError")]
    [InlineData("""{"id":9,"op":"ping","x":1}""", "BadDecodingError")]
    [InlineData("""{"id":9,"op":"ping","op":"ping"}""", "BadDecodingError")]
    [InlineData("""{"id":9,"op":"ping"} {}""", "BadDecodingError")]
    [InlineData("""{"id":{},"op":"ping"}""", "BadDecodingError")]
    [InlineData("""{"id":9,"op":"subscribe"}""", "BadNothingToDo")]
    [InlineData("""{"id":9,"op":"subscribe","nodes":["x"]}""", "BadNodeIdInvalid")]
    [InlineData("""{"id":9,"op":"subscribe","nodes":[7]}""", "BadDecodingError")]
    [InlineData("""{"id":9,"op":"subscribe","nodes":["ns=2;s=Int16"],"interval":0}""", "BadInvalidArgument")]
    [InlineData("""{"id":9,"op":"subscribe","nodes":["ns=2;s=Int16"],"interval":"NaN"}""", "BadInvalidArgument")]
    [InlineData("""{"id":9,"op":"rate","interval":5}""", "BadNoSubscription")]
    [InlineData("""{"id":9,"op":"write"}""", "BadNothingToDo")]
    [InlineData("""{"id":9,"op":"write","values":[{"node":"ns=2;s=Int16"}]}""", "BadDecodingError")]
    [InlineData("""{"id":9,"op":"login"}""", "BadIdentityTokenInvalid")]
    public async Task Message_ThatCannotBeServed_ErrorAndTheConnectionGoesOn(string text, string statusCode)
    {
        using var client = await LiveClient.OpenAsync(Gateway, Gateway.Observer);

        var error = await client.AskAsync(text);

        Assert.Equal(
            ("error", statusCode),
            (error.GetProperty("op").GetString(), error.GetProperty("statusCode").GetString()));
        Assert.NotEmpty(error.GetProperty("detail").GetString()!);
        if (text.Contains("\"id\":9", StringComparison.Ordinal))
            Assert.Equal(9, error.GetProperty("id").GetInt32());
        Assert.Equal("pong", (await client.AskAsync("""{"op":"ping"}""")).GetProperty("op").GetString());
    }

    [Fact]
    public async Task Message_TenThousandLevels_Error()
    {
        using var client = await LiveClient.OpenAsync(Gateway, Gateway.Operator);

        var error = await client.AskAsync(
            $$"""{"op":"write","values":[{"node":"ns=2;s=Int16","value":{{new string('[', 10_000)}}""");

        Assert.Equal("error", error.GetProperty("op").GetString());
        Assert.Contains(
            error.GetProperty("statusCode").GetString(),
            new[] { "BadDecodingError", "BadEncodingLimitsExceeded" });
    }

    [Fact]
    public async Task Subscribe_ManyViewersOfOneTag_EachGetsAChange()
    {
        const int viewers = 40;
        var clients = new List<LiveClient>();
        for (var i = 0; i < viewers; i++)
        {
            clients.Add(await LiveClient.OpenAsync(Gateway, Gateway.Observer));
            await clients[^1].AskAsync("""{"op":"subscribe","nodes":["ns=2;s=Double[]"],"interval":20}""");
            await clients[^1].NextAsync();
        }

        Gateway.Set("Double[]", Variant.FromArray(BuiltInType.Double, new[] { 1.5, 2.5 }));
        foreach (var client in clients)
        {
            var values = (await client.NextAsync()).GetProperty("values");
            Assert.Equal("[1.5,2.5]", values[0].GetProperty("value").GetRawText());
            client.Dispose();
        }
    }

    [Fact]
    public async Task Subscribe_ClientThatDoesNotRead_GetsTheNewestAndTheNumberOfTheOthersAndHoldsUpNobody()
    {
        const string watch = """{"op":"subscribe","nodes":["ns=2;s=ByteString"],"interval":10}""";
        Gateway.Set("ByteString", Variant.FromByteString([0]));
        using var fast = await LiveClient.OpenAsync(Gateway, Gateway.Observer);
        using var slow = await LiveClient.OpenAsync(Gateway, Gateway.Observer);
        foreach (var client in new[] { fast, slow })
        {
            await client.AskAsync(watch);
            await client.NextAsync();
        }

        // 16 MB as Base64: more than the sockets hold.
        const int sets = 200;
        for (var i = 1; i <= sets; i++)
        {
            var value = new byte[60_000];
            value[0] = (byte)i;
            Gateway.Set("ByteString", Variant.FromByteString(value));
            while (NumberOf(await fast.NextAsync()) != i)
            {
            }
        }

        var (count, skipped) = (0, 0);
        for (var last = 0; last != sets; count++)
        {
            var next = await slow.NextAsync();
            last = NumberOf(next);
            skipped += next.GetProperty("skipped").GetInt32();
        }

        Assert.InRange(skipped, 1, sets);
        Assert.InRange(count, 1, sets - skipped);

        static int NumberOf(JsonElement message) =>
            message.GetProperty("values")[0].GetProperty("value").GetBytesFromBase64()[0];
    }
}
