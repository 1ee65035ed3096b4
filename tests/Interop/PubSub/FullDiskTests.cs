using System.Text.Json;
using Gateway.Interop.Scripts;

namespace Gateway.Interop.PubSub;

/// <summary>The disk of the store fills while the broker is away: what found no room is told by count, and all else
/// comes.</summary>
public sealed class FullDiskTests
{
    private const string SmallDisk = "size=2m";
    private const string Writer = "1";

    [PeerFact(PeerProgram.MosquittoAndMount)]
    public async Task Store_DiskFullWhileTheBrokerIsAway_EachMessageComesOrIsCounted()
    {
        PeerRequirement.Demand(PeerProgram.MosquittoAndMount);
        using TemporaryFolder folder = new();
        await using Mosquitto broker = await Mosquitto.StartAsync(folder);
        await using Subscriber subscriber = await broker.SubscribeAsync();
        await using Publisher publisher = await Publisher.StartOnDiskAsync(
            folder, broker.Port, SmallDisk, "--Simulator:Tags=500", "--Simulator:ChangesPerSecond=10000",
            "--PubSub:Connections:0:StoreMaxBytes=16777216");
        HashSet<uint> numbers = [NumberOf(await subscriber.NextAsync(Publisher.Data))];

        await broker.StopAsync();
        JsonElement full = await StoreAsync(publisher, static store => store.GetProperty("lost").GetInt64() > 0);
        Assert.False(full.GetProperty("isWriting").GetBoolean());
        Assert.Contains("space", full.GetProperty("lastError").GetString(), StringComparison.OrdinalIgnoreCase);

        await broker.StartAsync();
        await StoreAsync(publisher, static store => store.GetProperty("isWriting").GetBoolean());
        JsonElement report;
        do
            report = await publisher.ReportAsync();
        while (report.GetProperty("gaps").EnumerateArray().Any(static gap => !gap.TryGetProperty("reportedAt", out _)));
        await TakeGapAsync(subscriber, numbers);

        // All that was lost is known by now: what follows comes without a hole.
        uint last = numbers.Max();
        long lost = report.GetProperty("gaps").EnumerateArray().Sum(static gap =>
            gap.GetProperty("writers").TryGetProperty(Writer, out JsonElement count) ? count.GetInt64() : 0);
        Assert.True(lost > 0, report.ToString());
        while (numbers.Count + lost < last + 1)
            numbers.Add(NumberOf(await subscriber.NextAsync(Publisher.Data)));
        // Of those under way when the broker went nobody knows whether it has them: they count if they find no room.
        Assert.InRange(numbers.Max() + 1 - numbers.Count, 1, lost);
    }

    private static uint NumberOf(Subscriber.Message message) =>
        message.Json.GetProperty("Messages").GetProperty("SequenceNumber").GetUInt32();

    private static async Task<JsonElement> StoreAsync(Publisher publisher, Func<JsonElement, bool> isSo)
    {
        JsonElement store;
        do
            store = await publisher.StoreAsync();
        while (!isSo(store));
        return store;
    }

    /// <summary>The data before the report, too.</summary>
    private static async Task TakeGapAsync(Subscriber subscriber, HashSet<uint> numbers)
    {
        while (true)
        {
            Subscriber.Message message = await subscriber.NextAsync("opcua/json/");
            if (message.Topic == "opcua/json/gaps/plant")
                return;
            if (message.Topic == Publisher.Data)
                numbers.Add(NumberOf(message));
        }
    }
}
