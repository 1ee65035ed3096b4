using System.Globalization;
using System.Text.Json;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish;
using Gateway.Server;
using Gateway.Testing;
using Gateway.Tests.Clock;
using Gateway.Tests.Http;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Sockets;

/// <summary>What one message of a WebSocket may ask for: in parts, weighed by its nodes, and counted (R04, R43, R44).
/// </summary>
[Collection(OwnMetrics.Name)]
public sealed class LiveWorkTests
{
    private const string Ping = """{"op":"ping"}""";
    private const string Clear = """{"op":"unsubscribe"}""";

    /// <summary>The engine removes no more items in one call than this, and none of a larger call.</summary>
    [Fact]
    public async Task Unsubscribe_MoreItemsThanOneCallTakes_NoneIsLeft()
    {
        await using var gateway = await RestGateway.StartAsync("--Limits:MaxMonitoredItemsPerCall=2");
        using var client = await LiveClient.OpenAsync(gateway, gateway.Observer);
        foreach (var part in new[] { Names(0, 2), Names(2, 2), Names(4, 1) })
            AssertGood(await AnswerAsync(client, Subscribe(part), "subscribed"), part.Length);
        var engine = gateway.Host.Get<PublishEngine>().Counters;
        Assert.Equal(5, engine.MonitoredItems);

        await AnswerAsync(client, Clear, "unsubscribed");

        Assert.Equal(0, engine.MonitoredItems);
    }

    [Fact]
    public async Task SubscribeRateUnsubscribe_MoreNodesThanOneCallTakes_InParts()
    {
        await using var gateway = await RestGateway.StartAsync(
            "--Limits:MaxMonitoredItemsPerCall=2", "--Limits:MaxWorkPerTurn=2");
        using var client = await LiveClient.OpenAsync(gateway, gateway.Observer);
        var nodes = Names(0, 7);
        var engine = gateway.Host.Get<PublishEngine>().Counters;

        AssertGood(await AnswerAsync(client, Subscribe(nodes), "subscribed"), 7);
        Assert.Equal(7, engine.MonitoredItems);
        var rate = await AnswerAsync(client, """{"op":"rate","interval":500}""", "rate");
        Assert.Equal(500, rate.GetProperty("interval").GetDouble());
        AssertGood(await AnswerAsync(client, Subscribe(nodes).Replace("\"subscribe\"", "\"unsubscribe\"",
            StringComparison.Ordinal), "unsubscribed"), 7);
        Assert.Equal(0, engine.MonitoredItems);
    }

    [Fact]
    public async Task Subscribe_UnknownNodeTwice_BothHaveItsStatus()
    {
        await using var gateway = await RestGateway.StartAsync();
        using var client = await LiveClient.OpenAsync(gateway, gateway.Observer);

        var answer = await AnswerAsync(client, Subscribe(["None", "Int32", "None", "Int32"]), "subscribed");

        Assert.Equal(
            ["BadNodeIdUnknown", "Good", "BadNodeIdUnknown", "Good"],
            answer.GetProperty("results").EnumerateArray().Select(static one => one.GetProperty("status").GetString()));
    }

    /// <summary>Three at once, and one more for each thousand nodes: the first counts as eleven.</summary>
    [Theory]
    [InlineData("subscribe")]
    [InlineData("unsubscribe")]
    [InlineData("write")]
    public async Task Op_OfThousandsOfNodes_CountsAsMany(string op)
    {
        await using var gateway = await RestGateway.StartAsync("--Limits:MaxHttpWebSocketOpsPerSecond=1");
        using var client = await LiveClient.OpenAsync(gateway, gateway.Observer);
        var nodes = string.Join(',', Enumerable.Repeat("\"ns=2;s=None\"", 10_000));
        var values = string.Join(',', Enumerable.Repeat("""{"node":"ns=2;s=None","value":1}""", 10_000));

        var operands = op == "write" ? $"\"values\":[{values}]" : $"\"nodes\":[{nodes}]";

        await client.AskAsync($$"""{"op":"{{op}}",{{operands}}}""");

        var refused = await client.AskAsync(Ping);
        Assert.Equal("BadTooManyOperations", refused.GetProperty("statusCode").GetString());
    }

    /// <summary>30 bytes that change 10,000 items. Twelve at once: each of the two counts as eleven.</summary>
    [Fact]
    public async Task Rate_OfThousandsOfItems_CountsAsMany()
    {
        var time = new MovedTime();
        await using var gateway = await RestGateway.StartAsync(time, [], "--Limits:MaxHttpWebSocketOpsPerSecond=4");
        using var client = await LiveClient.OpenAsync(gateway, gateway.Observer);
        time.Hold();
        var added = AddNodes(gateway, 10_000);
        AssertGood(await AnswerAsync(client, Subscribe(added, interval: 3_600_000), "subscribed"), 10_000);

        await AnswerAsync(client, """{"op":"rate","interval":3000000}""", "rate");

        var refused = await AnswerAsync(client, Ping, "error");
        Assert.Equal("BadTooManyOperations", refused.GetProperty("statusCode").GetString());
    }

    /// <summary>The nodes of Server-Sent Events count, too.</summary>
    [Fact]
    public async Task Subscribe_Nodes_CountInTheBudgetOfStreamsUntilTheyAreLeft()
    {
        await using var gateway = await RestGateway.StartAsync();
        using var client = await LiveClient.OpenAsync(gateway, gateway.Observer);

        await AnswerAsync(client, Subscribe(Names(0, 4)), "subscribed");
        var all = await HeldAsync(gateway, static held => held > 0);
        Assert.InRange(all, 4 * 200, 10_000);
        await AnswerAsync(client, """{"op":"unsubscribe","nodes":["ns=2;s=Int32"]}""", "unsubscribed");
        await HeldAsync(gateway, held => held > 0 && held < all);
        await AnswerAsync(client, Clear, "unsubscribed");

        await HeldAsync(gateway, static held => held == 0);
    }

    [Fact]
    public async Task Subscribe_NoMemoryLeftForStreams_BadOutOfMemoryForTheNodeAndTheSocketStays()
    {
        await using var gateway = await RestGateway.StartAsync("--Limits:MaxHttpStreamsBytes=1000");
        using var client = await LiveClient.OpenAsync(gateway, gateway.Observer);

        var answer = await AnswerAsync(client, Subscribe(Names(0, 4)), "subscribed");

        var results = answer.GetProperty("results").EnumerateArray()
            .Select(static one => one.GetProperty("status").GetString()).ToArray();
        Assert.Equal("Good", results[0]);
        Assert.Equal("BadOutOfMemory", results[^1]);
        Assert.Equal(
            results.Count(static one => one == "Good"), gateway.Host.Get<PublishEngine>().Counters.MonitoredItems);
        Assert.Equal("pong", (await AnswerAsync(client, Ping, "pong")).GetProperty("op").GetString());
    }

    [Fact]
    public async Task Stranger_MessageOfMoreThanMaxHttpWebSocketLoginBytes_1009()
    {
        await using var gateway = await RestGateway.StartAsync("--Limits:MaxHttpWebSocketLoginBytes=10000");
        using var client = await LiveClient.OpenStrangerAsync(gateway);
        await client.AskAsync($$"""{"op":"ping"{{new string(' ', 9_000)}}}""");

        await client.SendAsync($$"""{"op":"ping"{{new string(' ', 11_000)}}}""");

        Assert.Equal(1009, await client.ClosedAsync());
    }

    /// <summary>It is refused by the rate, so nobody learns that it is no JSON.</summary>
    [Fact]
    public async Task Message_AboveTheRate_IsNotDecoded()
    {
        await using var gateway = await RestGateway.StartAsync("--Limits:MaxHttpWebSocketOpsPerSecond=1");
        using var client = await LiveClient.OpenAsync(gateway, gateway.Observer);
        await client.AskAsync($$"""{"op":"unsubscribe","nodes":[{{Many("\"ns=2;s=None\"", 10_000)}}]}""");

        var last = await client.AskAsync(new string('x', 2_000));

        Assert.Equal("BadTooManyOperations", last.GetProperty("statusCode").GetString());
    }

    /// <summary>What a message makes counts in the budget of all decoded requests, and the array of nodes ends at its
    /// limit while it is read.</summary>
    [Fact]
    public async Task Message_OfManyStrings_EndsAtMaxHttpNodesAndAtTheBudget()
    {
        await using (var gateway = await RestGateway.StartAsync("--Limits:MaxHttpNodes=10"))
        {
            using var client = await LiveClient.OpenAsync(gateway, gateway.Observer);
            var error = await client.AskAsync($$"""{"op":"subscribe","nodes":[{{Many("\"a\"", 11)}},3]}""");
            Assert.Equal("BadTooManyOperations", error.GetProperty("statusCode").GetString());
        }

        await using (var gateway = await RestGateway.StartAsync("--Limits:MaxDecodedBytes=65536"))
        {
            using var client = await LiveClient.OpenAsync(gateway, gateway.Observer);
            var error = await client.AskAsync($$"""{"op":"subscribe","nodes":[{{Many("\"ns=2;s=x\"", 5_000)}}]}""");
            Assert.Equal("BadOutOfMemory", error.GetProperty("statusCode").GetString());
            Assert.Equal(0, gateway.Host.Get<GatewayServer>().Decoding.Bytes);
        }
    }

    private static string Many(string text, int count) => string.Join(',', Enumerable.Repeat(text, count));

    private static string[] Names(int first, int count) =>
        new[] { "Int32", "Int16", "Double", "String", "Boolean", "Guid", "Byte" }[first..(first + count)];

    private static string Subscribe(string[] names, int interval = 1_000)
    {
        var nodes = string.Join(',', names.Select(static name => $"\"ns=2;s={name}\""));
        return $$"""{"op":"subscribe","interval":{{interval}},"nodes":[{{nodes}}]}""";
    }

    /// <summary>Values that come before are passed over.</summary>
    private static async Task<JsonElement> AnswerAsync(LiveClient client, string text, string op)
    {
        await client.SendAsync(text);
        while (true)
        {
            var next = await client.NextAsync();
            var name = next.GetProperty("op").GetString();
            if (name == "values")
                continue;
            Assert.True(name == op, next.GetRawText());
            return next;
        }
    }

    private static void AssertGood(JsonElement answer, int count)
    {
        Assert.Equal(count, answer.GetProperty("results").GetArrayLength());
        Assert.All(
            answer.GetProperty("results").EnumerateArray(),
            static one => Assert.Equal("Good", one.GetProperty("status").GetString()));
    }

    private static string[] AddNodes(RestGateway gateway, int count)
    {
        var names = Enumerable.Range(0, count).Select(static i => string.Create(CultureInfo.InvariantCulture, $"N{i}"))
            .ToArray();
        var batch = new NodeBatch();
        foreach (var name in names)
            batch.AddNode(new NodeDefinition
            {
                NodeId = new NodeId(name, 2),
                NodeClass = NodeClass.Variable,
                BrowseName = new QualifiedName(name, 2),
                Variable = new VariableFacts(
                    new NodeId(StandardIds.DataTypes.Int32), AccessLevel: AccessLevelExType.CurrentRead),
            }).AddReference(
                new NodeId(StandardIds.Objects.ObjectsFolder), new NodeId(StandardIds.ReferenceTypes.Organizes),
                new NodeId(name, 2));
        gateway.Host.Get<NodeTable>().Apply(batch);
        return names;
    }

    /// <summary>Of the nodes of streams, as soon as a scrape shows it.</summary>
    private static async Task<long> HeldAsync(RestGateway gateway, Func<long, bool> isThere)
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(20));
        while (true)
        {
            var text = await gateway.Host.Client.GetStringAsync("/metrics", patience.Token);
            var line = text.Split('\n').FirstOrDefault(static one =>
                one.StartsWith("gateway_http_streams_bytes", StringComparison.Ordinal));
            if (line is not null &&
                long.Parse(line[(line.LastIndexOf(' ') + 1)..], CultureInfo.InvariantCulture) is var held &&
                isThere(held))
                return held;
            await look.WaitForNextTickAsync(patience.Token);
        }
    }
}
