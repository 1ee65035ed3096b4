using System.Text.Json;
using Gateway.Interop.Scripts;

namespace Gateway.Interop.PubSub;

/// <summary>The simulator's events through mosquitto: each is a message, also those of the time in which the broker was
/// away. The simulator counts them in their Context.</summary>
public sealed class EventDataSetTests : IAsyncLifetime, IDisposable
{
    private const string Data = "opcua/json/data/plant/g/events";
    private const int Enough = 100;

    private readonly TemporaryFolder folder = new();
    private Mosquitto broker = null!;
    private Publisher publisher = null!;

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync()
    {
        if (publisher is not null)
            await publisher.DisposeAsync();
        if (broker is not null)
            await broker.DisposeAsync();
    }

    public void Dispose() => folder.Dispose();

    [PeerFact(PeerProgram.Mosquitto)]
    public async Task Events_BrokerAwayAndBack_EachComesOnceAndInOrder()
    {
        broker = await Mosquitto.StartAsync(folder);
        await using Subscriber subscriber = await broker.SubscribeAsync();
        await StartAsync();

        Subscriber.Message first = await NextAsync(subscriber);
        JsonElement payload = first.Json.GetProperty("Messages").GetProperty("Payload");
        Assert.Equal(
            ["SourceName", "severity", "context"],
            payload.EnumerateObject().Select(static member => member.Name));
        Assert.StartsWith("Line ", payload.GetProperty("SourceName").GetString(), StringComparison.Ordinal);
        Assert.Equal(JsonValueKind.Number, payload.GetProperty("severity").ValueKind);

        await broker.StopAsync();
        await publisher.StoredAsync(Enough);
        await broker.StartAsync();
        HashSet<string?> known = [first.Json.GetProperty("MessageId").GetString()];
        long last = NumberOf(first);
        for (long end = last + (2 * Enough); last < end;)
        {
            Subscriber.Message next = await NextAsync(subscriber);
            // At least once: what was on its way when the broker died may come twice.
            if (!known.Add(next.Json.GetProperty("MessageId").GetString()))
                continue;
            Assert.Equal(last + 1, NumberOf(next));
            last++;
        }

        await publisher.AssertNothingLostAsync();
    }

    [PeerFact(PeerProgram.Mosquitto)]
    public async Task MetaData_OfEvents_HasTheTypesOfTheFields()
    {
        broker = await Mosquitto.StartAsync(folder);
        await StartAsync();
        await using Subscriber subscriber = await broker.SubscribeAsync();
        Subscriber.Message metaData = await subscriber.NextAsync("opcua/json/metadata/plant/g/events");
        Assert.Equal(
            [("SourceName", 12), ("severity", 5), ("context", 24)],
            metaData.Json.GetProperty("MetaData").GetProperty("Fields").EnumerateArray().Select(
                static one => (one.GetProperty("Name").GetString()!, one.GetProperty("BuiltInType").GetInt32())));
    }

    private async Task StartAsync()
    {
        const string Set = "--PubSub:DataSets:1:";
        const string Writer = "--PubSub:Connections:0:WriterGroups:0:DataSetWriters:1:";
        publisher = await Publisher.StartAsync(
            folder, broker.Port, "--Simulator:ChangesPerSecond=10", "--Simulator:EventsPerSecond=100",
            Set + "Name=progress", Set + "EventNotifier=i=2253", Set + "EventTypes:0=ProgressEventType",
            Set + "EventFields:0=SourceName", Set + "EventFields:1=severity", Set + "EventFields:2=context",
            Writer + "Name=events", Writer + "DataSetWriterId=2", Writer + "DataSet=progress");
    }

    /// <summary>The next event; a writer that has none says that it lives.</summary>
    private static async Task<Subscriber.Message> NextAsync(Subscriber subscriber)
    {
        while (true)
        {
            Subscriber.Message message = await subscriber.NextAsync(Data);
            string? kind = message.Json.GetProperty("Messages").GetProperty("MessageType").GetString();
            if (kind != "ua-keepalive")
            {
                Assert.Equal("ua-event", kind);
                return message;
            }
        }
    }

    /// <summary>A Variant of any type says its own.</summary>
    private static long NumberOf(Subscriber.Message message)
    {
        JsonElement context = message.Json.GetProperty("Messages").GetProperty("Payload").GetProperty("context");
        JsonElement value = context.ValueKind == JsonValueKind.Object ? context.GetProperty("Value") : context;
        return value.ValueKind == JsonValueKind.String
            ? long.Parse(value.GetString()!, System.Globalization.CultureInfo.InvariantCulture)
            : value.GetInt64();
    }
}
