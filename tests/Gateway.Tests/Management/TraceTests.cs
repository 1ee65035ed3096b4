using System.Text.Json;
using Gateway.Codec.Types;
using Gateway.Testing;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Management;

/// <summary><c>/trace</c>: where a value is on its way, and where it stopped.</summary>
[Collection(RestFixture.Name)]
public sealed class TraceTests(RestFixture fixture)
{
    private const string Node = "nsu=urn:gateway:simulator;s=UInt16";

    private readonly RestGateway _gateway = fixture.Gateway;

    [Fact]
    public async Task Trace_GoodValueNobodyWatches_AllOkAndNoConsumer()
    {
        _gateway.Set("Guid", new Variant(Guid.NewGuid()));

        var trace = await TraceAsync(_gateway.Observer, "nsu=urn:gateway:simulator;s=Guid");

        Assert.Equal("ok", trace.GetProperty("state").GetString());
        Assert.False(trace.TryGetProperty("faultHop", out _));
        Assert.Equal(["node", "source", "store", "items", "sweep", "sessions"], HopsOf(trace));
        Assert.Equal("ok", StateOf(trace, "store"));
        Assert.Equal("none", StateOf(trace, "items"));
        Assert.Equal("Source Simulator", Hop(trace, "source").GetProperty("title").GetString());
        Assert.Equal("Guid", Hop(trace, "store").GetProperty("facts").GetProperty("type").GetString());
    }

    [Fact]
    public async Task Trace_WatchedByAStream_NamesItWithItsQueue()
    {
        using var stream = await EventReader.OpenAsync(_gateway.Observer, "interval=1000", [Node]);
        await stream.NextAsync();

        var trace = await TraceAsync(_gateway.Observer, Node);

        var items = Hop(trace, "items");
        Assert.True(items.GetProperty("facts").GetProperty("items").GetInt32() >= 1);
        Assert.Equal(1000, items.GetProperty("facts").GetProperty("slowestSamplingMs").GetDouble());
        var consumer = Hop(trace, "streams");
        Assert.Equal("ok", consumer.GetProperty("state").GetString());
        Assert.Equal(1000, consumer.GetProperty("facts").GetProperty("publishingIntervalMs").GetDouble());
        Assert.Equal("127.0.0.1", consumer.GetProperty("facts").GetProperty("address").GetString());
    }

    /// <summary>A page that was closed made its tag look disturbed.</summary>
    [Fact]
    public async Task Trace_ClientOfTheStreamHasGone_NothingIsAtFault()
    {
        const string node = "nsu=urn:gateway:simulator;s=SByte";
        var stream = await EventReader.OpenAsync(_gateway.Observer, "interval=100", [node]);
        await stream.NextAsync();
        stream.Dispose();
        using var patience = new CancellationTokenSource(Patience.Limit);
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(50));
        JsonElement trace;
        do
        {
            await look.WaitForNextTickAsync(patience.Token);
            _gateway.Set("SByte", new Variant((sbyte)1));
            trace = await TraceAsync(_gateway.Observer, node);
        }
        while (StateOf(trace, "streams") != "none" || StateOf(trace, "sweep") is "warning" or "fault");

        Assert.Equal("ok", StateOf(trace, "items"));
        Assert.False(trace.TryGetProperty("faultHop", out _));
    }

    [Fact]
    public async Task Trace_BadValue_TheStoreIsTheFirstAtFault()
    {
        const string id = "UInt32";
        _gateway.Host.Get<AddressSpace.Values.ValueStore>().Set(
            _gateway.Host.Get<AddressSpace.Nodes.NodeTable>().Find(new NodeId(id, 2)),
            new DataValue(StatusCodes.BadSensorFailure));

        var trace = await TraceAsync(_gateway.Observer, "nsu=urn:gateway:simulator;s=" + id);

        Assert.Equal("fault", trace.GetProperty("state").GetString());
        Assert.Equal("store", trace.GetProperty("faultHop").GetString());
        Assert.True(Hop(trace, "store").GetProperty("first").GetBoolean());
        Assert.Contains("BadSensorFailure", Hop(trace, "store").GetProperty("words").GetString());
        Assert.True(Hop(trace, "store").TryGetProperty("remedy", out _));
    }

    [Theory]
    [InlineData("ns=2;s=Nowhere")]
    [InlineData("nsu=urn:nowhere;s=<img src=x>")]
    [InlineData("/Objects/2:Nowhere")]
    public async Task Trace_UnknownNode_SaysSo(string node)
    {
        var trace = await TraceAsync(_gateway.Observer, node);

        Assert.Equal("node", trace.GetProperty("faultHop").GetString());
        Assert.Equal(node, trace.GetProperty("node").GetString());
        Assert.False(trace.TryGetProperty("displayName", out _));
    }

    [Fact]
    public async Task Trace_Object_AsksForAVariable()
    {
        var trace = await TraceAsync(_gateway.Observer, "ns=2;s=Methods");

        Assert.Equal("fault", trace.GetProperty("state").GetString());
        Assert.Equal(["node"], HopsOf(trace));
    }

    [Theory]
    [InlineData("")]
    [InlineData("Int16")]
    [InlineData("ns=2;x=1")]
    public async Task Trace_NoNodeId_400(string node)
    {
        var (status, problem) = await RestGateway.GetAsync(
            _gateway.Observer, RestGateway.Query("/api/v1/trace", node));

        Assert.Equal(400, status);
        Assert.Equal("BadNodeIdInvalid", problem.GetProperty("statusCode").GetString());
    }

    private static async Task<JsonElement> TraceAsync(HttpClient client, string node)
    {
        var (status, trace) = await RestGateway.GetAsync(client, RestGateway.Query("/api/v1/trace", node));
        Assert.Equal(200, status);
        return trace;
    }

    private static List<string?> HopsOf(JsonElement trace) =>
        [.. trace.GetProperty("hops").EnumerateArray().Select(static one => one.GetProperty("hop").GetString())];

    private static JsonElement Hop(JsonElement trace, string hop) =>
        trace.GetProperty("hops").EnumerateArray().First(one => one.GetProperty("hop").GetString() == hop);

    private static string? StateOf(JsonElement trace, string hop) => Hop(trace, hop).GetProperty("state").GetString();
}
