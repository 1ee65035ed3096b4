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
        JsonElement full = await Eventually.IsAsync(
            publisher.StoreAsync, static store => store.GetProperty("lost").GetInt64() > 0);
        Assert.False(full.GetProperty("isWriting").GetBoolean());
        Assert.Contains("space", full.GetProperty("lastError").GetString(), StringComparison.OrdinalIgnoreCase);

        await broker.StartAsync();
        await Eventually.IsAsync(publisher.StoreAsync, static store => store.GetProperty("isWriting").GetBoolean());
        JsonElement report = await Eventually.IsAsync(
            publisher.ReportAsync, static report => report.GetProperty("gaps").EnumerateArray()
                .All(static gap => gap.TryGetProperty("reportedAt", out _)));
        DateTime last = await TakeGapAsync(subscriber, numbers);

        // All that was lost is known by now. The report may overtake what waits: the hole is behind once a message
        // comes that is younger.
        JsonElement[] gaps = [.. report.GetProperty("gaps").EnumerateArray()];
        DateTime end = gaps.Max(static gap => gap.GetProperty("lastTime").GetDateTime());
        long lost = gaps.Sum(static gap =>
            gap.GetProperty("writers").TryGetProperty(Writer, out JsonElement count) ? count.GetInt64() : 0);
        Assert.True(lost > 0, report.ToString());
        while (last <= end)
            last = Take(await subscriber.NextAsync(Publisher.Data), numbers);
        // Of those under way when the broker went nobody knows whether it has them: they count if they find no room.
        Assert.InRange(numbers.Max() + 1 - numbers.Count, 1, lost);
    }

    private static uint NumberOf(Subscriber.Message message) =>
        message.Json.GetProperty("Messages").GetProperty("SequenceNumber").GetUInt32();

    /// <summary>Its time.</summary>
    private static DateTime Take(Subscriber.Message message, HashSet<uint> numbers)
    {
        numbers.Add(NumberOf(message));
        return message.Json.GetProperty("Messages").GetProperty("Timestamp").GetDateTime();
    }

    /// <summary>The data before the report, too; the time of its last message.</summary>
    private static async Task<DateTime> TakeGapAsync(Subscriber subscriber, HashSet<uint> numbers)
    {
        DateTime last = default;
        while (true)
        {
            Subscriber.Message message = await subscriber.NextAsync("opcua/json/");
            if (message.Topic == "opcua/json/gaps/plant")
                return last;
            if (message.Topic == Publisher.Data)
                last = Take(message, numbers);
        }
    }
}
