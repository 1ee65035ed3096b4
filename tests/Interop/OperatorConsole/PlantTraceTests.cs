using System.Text.Json;
using Gateway.Interop.Scripts;
using Gateway.Testing;

namespace Gateway.Interop.OperatorConsole;

/// <summary><c>GET /api/v1/trace</c> for the nodes of a real controller that go to a real broker: each hop with what it
/// knows, and the first one at fault.</summary>
[Collection(nameof(PlantCollection))]
public sealed class PlantTraceTests(PlantFixture fixture)
{
    [PeerFact(PeerProgram.ConsoleOnPlant)]
    public async Task Trace_FromTheControllerToTheBroker_EachHopWithItsFacts()
    {
        JsonElement trace = await TraceAsync(
            "i=1000", static one => IsOk(one) && StateOf(one, "writers") == "ok" && StateOf(one, "store") == "ok");

        Assert.False(trace.TryGetProperty("faultHop", out _));
        Assert.Equal(
            ["node", "source", "item", "store", "items", "sweep", "streams", "writers"],
            trace.GetProperty("hops").EnumerateArray().Select(static one => one.GetProperty("hop").GetString()));
        Assert.Equal("online", FactOf(trace, "source", "state").GetString());
        Assert.True(FactOf(trace, "source", "nodes").GetInt64() > 100);
        Assert.True(FactOf(trace, "item", "samplingMs").GetDouble() > 0);
        Assert.Equal("Double", FactOf(trace, "store", "type").GetString());
        Assert.True(FactOf(trace, "items", "items").GetInt32() >= 1);
        Assert.Equal("opcua/json/data/plant/g/w", FactOf(trace, "writers", "topic").GetString());
        Assert.Equal("broker", FactOf(trace, "writers", "connection").GetString());
        Assert.True(Hop(trace, "store").GetProperty("ageMs").GetDouble() >= 0);
    }

    [PeerFact(PeerProgram.ConsoleOnPlant)]
    public async Task Trace_OfATagThatNobodyWatches_SaysThatNoneIsAsked()
    {
        JsonElement trace = await TraceAsync("i=1050", static one => IsOk(one) && StateOf(one, "source") == "ok");

        Assert.Equal("none", StateOf(trace, "item"));
        Assert.Equal("none", StateOf(trace, "store"));
        Assert.Equal("none", StateOf(trace, "items"));
        Assert.DoesNotContain(
            trace.GetProperty("hops").EnumerateArray(), static one => one.GetProperty("hop").GetString() == "writers");
    }

    [PeerFact(PeerProgram.ConsoleOnPlant)]
    public async Task Trace_ControllerAndBrokerAway_TheControllerIsTheFirstAtFault()
    {
        await TraceAsync("i=1000", static one => StateOf(one, "writers") == "ok");
        await fixture.Plant.KillAsync();
        await fixture.Broker.KillAsync();

        JsonElement trace = await TraceAsync(
            // The values keep their status for BridgeSeconds.
            "i=1000", static one => StateOf(one, "source") == "fault" && StateOf(one, "store") == "fault" &&
                StateOf(one, "writers") == "warning");

        await fixture.Broker.StartAsync();
        await fixture.Plant.StartAsync();
        Assert.Equal("source", trace.GetProperty("faultHop").GetString());
        Assert.True(Hop(trace, "source").GetProperty("first").GetBoolean());
        Assert.NotEmpty(Hop(trace, "source").GetProperty("remedy").GetString()!);
        Assert.Equal("none", StateOf(trace, "item"));
        Assert.Equal("fault", StateOf(trace, "store"));
        Assert.Contains("BadNoCommunication", Hop(trace, "store").GetProperty("words").GetString());
        Assert.True(FactOf(trace, "writers", "waitingMessages").GetInt64() >= 0);
        Assert.NotEmpty(Hop(trace, "writers").GetProperty("remedy").GetString()!);
        await TraceAsync(
            "i=1000", static one => StateOf(one, "writers") == "ok" && StateOf(one, "store") == "ok");
    }

    /// <summary>Once it is as expected: an upstream needs a while to connect, and a moment to be missed.</summary>
    private async Task<JsonElement> TraceAsync(string id, Func<JsonElement, bool> isSo)
    {
        string path = PlantFixture.Path("/trace", PlantFixture.NodeOf(id));
        using CancellationTokenSource patience = new(Patience.Limit);
        using PeriodicTimer look = new(TimeSpan.FromMilliseconds(200));
        JsonElement trace;
        while (!isSo(trace = await fixture.GetAsync(path)))
        {
            if (patience.IsCancellationRequested)
                Assert.Fail(trace.GetRawText() + "\n" + fixture.Gateway.Output);
            await look.WaitForNextTickAsync();
        }

        return trace;
    }

    /// <summary>On a busy machine some hop is late now and then.</summary>
    private static bool IsOk(JsonElement trace) => trace.GetProperty("state").GetString() == "ok";

    private static JsonElement Hop(JsonElement trace, string hop) =>
        trace.GetProperty("hops").EnumerateArray().First(one => one.GetProperty("hop").GetString() == hop);

    private static JsonElement FactOf(JsonElement trace, string hop, string fact) =>
        Hop(trace, hop).GetProperty("facts").GetProperty(fact);

    private static string? StateOf(JsonElement trace, string hop) => trace.GetProperty("hops").EnumerateArray()
        .Where(one => one.GetProperty("hop").GetString() == hop)
        .Select(static one => one.GetProperty("state").GetString()).FirstOrDefault();
}
