using System.Net;
using Gateway.Events.Model;
using Gateway.Publish;
using Gateway.Tests.Sockets;

namespace Gateway.Tests.Rest;

/// <summary>Streams of Server-Sent Events and of WebSockets count against the engine's limits as sessions do.</summary>
public sealed class EngineCapTests
{
    private const string Hour = "interval=3600000";

    private static readonly string[] Three = ["ns=2;s=Int32", "ns=2;s=Int16", "ns=2;s=String"];

    /// <summary>Values: the rest says so, one by one. Events: all or none.</summary>
    [Fact]
    public async Task Items_OneTooMany_IsToldAndTheOthersGoOn()
    {
        await using var gateway = await RestGateway.StartAsync("--Limits:MaxMonitoredItemsPerUser=2");
        using (var stream = await EventReader.OpenAsync(gateway.Observer, Hour, Three))
        {
            var values = new Dictionary<string, string>();
            while (values.Count < Three.Length)
            {
                var (_, json) = await stream.NextAsync();
                foreach (var one in json.GetProperty("values").EnumerateArray())
                {
                    var node = one.GetProperty("node").GetString()!;
                    values[node.Split("s=")[1]] = one.GetProperty("status").GetString()!;
                }
            }

            Assert.Equal("BadTooManyMonitoredItems", values["String"]);
            Assert.Single(values.Values, static status => status == "BadTooManyMonitoredItems");

            using var refused = await gateway.Observer.GetAsync("/api/v1/events?" + Hour);
            var problem = await RestGateway.JsonOf(refused);
            Assert.Equal("BadTooManyMonitoredItems", problem.GetProperty("statusCode").GetString());
        }

        // Another user has his own.
        using var client = await LiveClient.OpenAsync(gateway, gateway.Operator);
        await client.AskAsync("""{"op":"subscribeEvents","fields":["message","sourceName"],"interval":50}""");
        var beside = await client.AskAsync("""{"op":"subscribeEvents","source":["i=2253","i=2253"]}""");
        Assert.Equal("BadTooManyMonitoredItems", beside.GetProperty("statusCode").GetString());
        Assert.Contains("unsubscribe from these first", beside.GetProperty("detail").GetString());
        await AssertStillBringsEventsAsync(gateway, client);

        await client.SendAsync("""{"op":"unsubscribeEvents"}""");
        while ((await client.NextAsync()).GetProperty("op").GetString() == "events")
        {
            // Those that were on their way.
        }

        var alone = await client.AskAsync("""{"op":"subscribeEvents","source":["i=2253","i=2253","i=2253"]}""");
        Assert.Equal("BadTooManyMonitoredItems", alone.GetProperty("statusCode").GetString());
        Assert.Equal("source[2]", alone.GetProperty("detail").GetString());
    }

    [Fact]
    public async Task Subscriptions_OneTooMany_IsRefusedAndTheOneBeforeStays()
    {
        await using var gateway = await RestGateway.StartAsync("--Limits:MaxSubscriptionsPerUser=1");
        using var client = await LiveClient.OpenAsync(gateway, gateway.Observer);
        await client.AskAsync("""{"op":"subscribeEvents","fields":["message","sourceName"],"interval":50}""");
        var beside = await client.AskAsync("""{"op":"subscribeEvents","minSeverity":1}""");
        Assert.Equal("BadTooManySubscriptions", beside.GetProperty("statusCode").GetString());
        Assert.Contains("unsubscribe from these first", beside.GetProperty("detail").GetString());
        using (var refused = await EventReader.RequestAsync(gateway.Observer, Hour, Three))
            Assert.Equal(HttpStatusCode.TooManyRequests, refused.StatusCode);
        await AssertStillBringsEventsAsync(gateway, client);
    }

    /// <summary>A short queue loses more events of a burst; it is no reason to refuse.</summary>
    [Fact]
    public async Task Queues_OfEventsBeyondTheSum_AreShort()
    {
        await using var gateway = await RestGateway.StartAsync("--Limits:MaxQueuedValuesPerUser=20");
        using var stream = await EventReader.OpenEventsAsync(gateway.Observer, "interval=50&fields=message,sourceName");
        Assert.Equal(1, gateway.Host.Get<PublishEngine>().Counters.RevisedQueueSizes);
        Raise(gateway, "words");
        await stream.EntryAsync(static one => one.GetRawText() == """{"message":"words","sourceName":"cap"}""");
    }

    private static async Task AssertStillBringsEventsAsync(RestGateway gateway, LiveClient client)
    {
        Raise(gateway, "still");
        while (!(await client.NextAsync()).GetRawText().Contains("""{"message":"still","sourceName":"cap"}"""))
        {
            // Events of the gateway itself.
        }
    }

    private static void Raise(RestGateway gateway, string message)
    {
        var events = gateway.Host.Get<PublishEngine>().Events;
        events.Raise(events.Maker.Make(StandardEvents.SystemEvent, default, "cap", message, 500));
    }
}
