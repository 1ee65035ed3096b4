using System.Text.Json;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Events.Model;
using Gateway.Publish;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Sockets;

/// <summary>Events and alarms over a WebSocket, beside values.</summary>
[Collection(RestFixture.Name)]
public sealed class LiveEventTests(RestFixture fixture)
{
    private readonly PublishEngine _publishing = fixture.Gateway.Host.Get<PublishEngine>();
    private readonly NodeTable _nodes = fixture.Gateway.Host.Get<NodeTable>();

    private RestGateway Gateway => fixture.Gateway;

    [Fact]
    public async Task SubscribeEvents_FilterAndFields_BringsWhatWasAskedFor()
    {
        using var client = await LiveClient.OpenAsync(Gateway, Gateway.Observer);
        var answer = await client.AskAsync(
            """
            {"op":"subscribeEvents","id":7,"source":"i=2253","type":["SystemEventType"],"minSeverity":600,
             "fields":["message","sourceName"],"interval":50}
            """);
        Assert.Equal("""{"op":"subscribedEvents","id":7,"interval":50}""", answer.GetRawText());
        Raise("socket", "small", 599);
        Raise("socket", "large", 600);
        var entry = await EntryAsync(client, "socket");
        Assert.Equal("""{"message":"large","sourceName":"socket"}""", entry.GetRawText());
    }

    [Fact]
    public async Task SubscribeEvents_AlarmsActive_BringsThemFirst()
    {
        _publishing.Conditions.Report(
            new ConditionDefinition
            {
                ConditionId = new NodeId("Alarms/socket/one", 1),
                Layout = ConditionLayouts.SystemOffNormal,
                ConditionName = "one",
                SourceName = "socket alarm",
            },
            isActive: true, 650, "on");
        using var client = await LiveClient.OpenAsync(Gateway, Gateway.Observer);
        await client.AskAsync("""{"op":"subscribeEvents","alarms":"active","interval":50}""");
        var entries = new List<string>();
        while (!entries.Exists(static one => one == """{"refresh":"end"}"""))
            entries.AddRange((await EventsAsync(client)).Select(static one => one.GetRawText()));
        // What other tests raised may come before.
        var start = entries.IndexOf("""{"refresh":"start"}""");
        Assert.True(start >= 0, string.Join('\n', entries));
        Assert.Contains(
            entries.Skip(start),
            static one => one.Contains("\"sourceName\":\"socket alarm\"", StringComparison.Ordinal));
    }

    /// <summary>The second takes the place of the first; a bad one leaves it.</summary>
    [Fact]
    public async Task SubscribeEvents_Again_ReplacesTheOneBefore()
    {
        using var client = await LiveClient.OpenAsync(Gateway, Gateway.Observer);
        await client.AskAsync("""{"op":"subscribeEvents","fields":"severity","interval":50}""");
        await client.AskAsync("""{"op":"subscribeEvents","fields":["message","sourceName"],"interval":50}""");
        var refused = await client.AskAsync("""{"op":"subscribeEvents","type":"NoSuchType","id":"x"}""");
        // What other tests raise may come before.
        while (refused.GetProperty("op").GetString() == "events")
            refused = await client.NextAsync();
        Assert.Equal("error", refused.GetProperty("op").GetString());
        Assert.Equal("x", refused.GetProperty("id").GetString());
        Raise("again", "words", 500);
        Assert.Equal(
            """{"message":"words","sourceName":"again"}""", (await EntryAsync(client, "again")).GetRawText());
    }

    [Fact]
    public async Task UnsubscribeEvents_NothingFollowsAndValuesGoOn()
    {
        Gateway.Set("Guid", new Variant(Guid.Empty));
        using var client = await LiveClient.OpenAsync(Gateway, Gateway.Observer);
        await client.AskAsync("""{"op":"subscribeEvents","id":1,"interval":10}""");
        Raise("gone", "words", 500);
        await EntryAsync(client, "gone");
        await client.SendAsync("""{"op":"unsubscribeEvents","id":2}""");
        JsonElement next;
        while ((next = await client.NextAsync()).GetProperty("op").GetString() == "events")
        {
        }

        Assert.Equal("""{"op":"unsubscribedEvents","id":2}""", next.GetRawText());
        Raise("gone", "words", 500);
        await client.AskAsync("""{"op":"subscribe","nodes":["ns=2;s=Guid"],"interval":10}""");
        Assert.Equal("values", (await client.NextAsync()).GetProperty("op").GetString());
        var nothing = await client.AskAsync("""{"op":"unsubscribeEvents","id":3}""");
        Assert.Equal("BadNoSubscription", nothing.GetProperty("statusCode").GetString());
    }

    [Theory]
    [InlineData("""{"op":"subscribeEvents","minSeverity":2000}""", "minSeverity")]
    [InlineData("""{"op":"subscribeEvents","fields":["a//b"]}""", "fields")]
    [InlineData("""{"op":"subscribeEvents","alarms":"all"}""", "alarms")]
    [InlineData("""{"op":"subscribeEvents","interval":0}""", "interval")]
    [InlineData("""{"op":"subscribeEvents","source":"Server"}""", "source")]
    [InlineData("""{"op":"subscribeEvents","source":["ns=2;s=Int16"]}""", "source")]
    [InlineData("""{"op":"subscribeEvents","source":["ns=2;s=Nowhere"]}""", "source")]
    public async Task SubscribeEvents_WrongThings_AreErrorsThatNameThem(string message, string place)
    {
        using var client = await LiveClient.OpenAsync(Gateway, Gateway.Observer);
        var answer = await client.AskAsync(message);
        Assert.Equal("error", answer.GetProperty("op").GetString());
        Assert.Contains(place, answer.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.Equal("pong", (await client.AskAsync("""{"op":"ping"}""")).GetProperty("op").GetString());
    }

    /// <summary>R36.</summary>
    [Fact]
    public async Task SubscribeEvents_HiddenSource_ReachesOnlyThoseWhoMayHaveIt()
    {
        HiddenNodes.AddTo(Gateway);
        var source = _nodes.Find(new NodeId(HiddenNodes.Variable, 2));
        using var observer = await LiveClient.OpenAsync(Gateway, Gateway.Observer);
        await observer.AskAsync("""{"op":"subscribeEvents","interval":10}""");
        _publishing.Events.Raise(_publishing.Events.Maker.Make(
            StandardEvents.SystemEvent, source, "crypt", HiddenNodes.Secret, 500));
        Raise("behind the crypt", "words", 500);
        while (true)
        {
            var events = await EventsAsync(observer);
            Assert.DoesNotContain(
                events, static one => one.GetRawText().Contains(HiddenNodes.Secret, StringComparison.Ordinal));
            if (events.Exists(static one => one.GetRawText().Contains("behind the crypt", StringComparison.Ordinal)))
                break;
        }
    }

    private static async Task<List<JsonElement>> EventsAsync(LiveClient client)
    {
        var next = await client.NextAsync();
        Assert.Equal("events", next.GetProperty("op").GetString());
        return [.. next.GetProperty("events").EnumerateArray()];
    }

    private static async Task<JsonElement> EntryAsync(LiveClient client, string source)
    {
        while (true)
        {
            foreach (var entry in await EventsAsync(client))
            {
                if (entry.TryGetProperty("sourceName", out var name) && name.GetString() == source)
                    return entry;
            }
        }
    }

    private void Raise(string source, string message, ushort severity) =>
        _publishing.Events.Raise(_publishing.Events.Maker.Make(
            StandardEvents.SystemEvent, default, source, message, severity));
}
