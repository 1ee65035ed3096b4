using System.Text.Json;
using Gateway.Interop.Scripts;

namespace Gateway.Interop.PubSub;

/// <summary>The gateway publishes through mosquitto, and loses nothing that it had stored.</summary>
public sealed class PubSubTests : IAsyncLifetime, IDisposable
{
    private const int MessagesPerPhase = 20;
    private const int Kills = 5;

    /// <summary>Far above what a store hands out in order.</summary>
    private const long BacklogBytes = 4 * 1024 * 1024;

    /// <summary>Messages in the broker's and the gateway's memory, at the most.</summary>
    private const int MostInMemory = 100;
    private const int Disabled = 0;
    private const int Operational = 2;
    private const int Error = 3;

    private readonly TemporaryFolder folder = new();
    private readonly Ledger ledger = new();
    private Mosquitto broker = null!;
    private Publisher publisher = null!;

    public Task InitializeAsync() => Task.CompletedTask;

    /// <summary>xUnit asks test classes for IAsyncLifetime only: brokers and gateways stayed behind.</summary>
    public async Task DisposeAsync()
    {
        if (publisher is not null)
            await publisher.DisposeAsync();
        if (broker is not null)
            await broker.DisposeAsync();
    }

    public void Dispose() => folder.Dispose();

    [PeerFact(PeerProgram.Mosquitto)]
    public async Task Subscriber_ComesLate_KnowsTheFieldsAndThePublisher()
    {
        await StartAsync();
        await using (Subscriber early = await broker.SubscribeAsync("early"))
        {
            Subscriber.Message data = await early.NextAsync(Publisher.Data);
            Assert.Equal("ua-data", data.Json.GetProperty("MessageType").GetString());
        }

        await using Subscriber late = await broker.SubscribeAsync();

        Subscriber.Message metaData = await late.NextAsync(Publisher.MetaData);
        Assert.True(metaData.IsRetained);
        JsonElement description = metaData.Json.GetProperty("MetaData");
        Assert.Equal(
            Enumerable.Range(0, Publisher.Tags).Select(i => $"Tag{i}"),
            description.GetProperty("Fields").EnumerateArray().Select(one => one.GetProperty("Name").GetString()));
        Subscriber.Message value = await late.NextAsync(Publisher.Data);
        Assert.False(value.IsRetained);
        Assert.Equal("plant", value.Json.GetProperty("PublisherId").GetString());
    }

    [PeerFact(PeerProgram.Mosquitto)]
    public async Task Status_OfEachLife_IsToldAndKept()
    {
        await StartAsync();
        await using Subscriber subscriber = await broker.SubscribeAsync();
        Assert.Equal(Operational, await StatusAsync(subscriber));

        await publisher.Process.KillAsync();
        Assert.Equal(Error, await StatusAsync(subscriber));

        await publisher.Process.StartAsync();
        Assert.Equal(Operational, await StatusAsync(subscriber));

        // A broker that is behind does not take the farewell in time.
        await publisher.StoredAtMostAsync(1);
        Assert.Equal(0, await publisher.Process.StopAsync());
        Assert.Equal(Disabled, await StatusAsync(subscriber));
        await using Subscriber late = await broker.SubscribeAsync("late");
        Subscriber.Message kept = await late.NextAsync(Publisher.Status);
        Assert.True(kept.IsRetained);
        Assert.Equal(Disabled, kept.Json.GetProperty("Status").GetInt32());
    }

    [PeerFact(PeerProgram.Mosquitto)]
    public async Task Broker_EndedAndBack_NothingIsLost()
    {
        await using Subscriber subscriber = await StartWithSubscriberAsync();
        for (int i = 0; i < 2; i++)
        {
            await broker.StopAsync();
            await publisher.StoredAsync(MessagesPerPhase);
            await broker.StartAsync();
            await TakeAsync(subscriber, 2 * MessagesPerPhase);
        }

        await publisher.AssertNothingLostAsync();
    }

    [PeerFact(PeerProgram.Mosquitto)]
    public async Task Broker_Frozen_NothingIsLost()
    {
        await using Subscriber subscriber = await StartWithSubscriberAsync();
        broker.Freeze();
        await publisher.StoredAsync(MessagesPerPhase);
        broker.Thaw();
        await TakeAsync(subscriber, 2 * MessagesPerPhase);

        await publisher.AssertNothingLostAsync();
    }

    /// <summary>Of each run all that the store had comes, in order; the broker is away meanwhile in every other one.
    /// </summary>
    [PeerFact(PeerProgram.Mosquitto)]
    public async Task Gateway_KilledAgainAndAgain_WhatItHadStoredComes()
    {
        await using Subscriber subscriber = await StartWithSubscriberAsync();
        for (int i = 0; i < Kills; i++)
        {
            bool isAway = i % 2 == 1;
            if (isAway)
            {
                await broker.StopAsync();
                await publisher.StoredAsync(MessagesPerPhase);
            }

            int run = ledger.Runs;
            await publisher.Process.KillAsync();
            if (isAway)
                await broker.StartAsync();
            await publisher.Process.StartAsync();
            while (ledger.Runs == run)
            {
                uint before = ledger.Frames;
                ledger.Take(await subscriber.NextAsync(Publisher.Data));
                Assert.True(ledger.Runs > run || ledger.Frames >= before);
            }

            await TakeAsync(subscriber, MessagesPerPhase);
        }

        Assert.True(ledger.Runs > Kills);
        await publisher.AssertNothingLostAsync();
    }

    /// <summary>The broker is away: what was told as stored before the kill comes after it.</summary>
    [PeerFact(PeerProgram.Mosquitto)]
    public async Task Gateway_KilledWhileTheBrokerIsAway_TheStoreHasAll()
    {
        await using Subscriber subscriber = await StartWithSubscriberAsync();
        await broker.StopAsync();
        await publisher.StoredAsync(3 * MessagesPerPhase);
        uint atLeast = ledger.Frames + MessagesPerPhase;
        await publisher.Process.KillAsync();
        await broker.StartAsync();
        await publisher.Process.StartAsync();
        uint last = 0;
        while (ledger.Runs == 1)
        {
            last = ledger.Frames;
            ledger.Take(await subscriber.NextAsync(Publisher.Data));
        }

        Assert.True(last >= atLeast, $"{last} of at least {atLeast}");
        await publisher.AssertNothingLostAsync();
    }

    [PeerFact(PeerProgram.Mosquitto)]
    public async Task Gateway_EndedAndStarted_WhatItHadStoredComes()
    {
        await using Subscriber subscriber = await StartWithSubscriberAsync();

        Assert.Equal(0, await publisher.Process.StopAsync());
        await publisher.Process.StartAsync();
        while (ledger.Runs == 1)
            ledger.Take(await subscriber.NextAsync(Publisher.Data));
        await TakeAsync(subscriber, MessagesPerPhase);

        await publisher.AssertNothingLostAsync();
    }

    /// <summary>Two descriptors an assembly.</summary>
    [PeerFact(PeerProgram.Mosquitto)]
    public async Task Gateway_WithoutPubSub_LoadsNothingOfIt()
    {
        await using Gateways.GatewayProcess plain = await Gateways.GatewayProcess.StartAsync(folder, "--demo");

        string maps = await File.ReadAllTextAsync($"/proc/{plain.ProcessId}/maps");

        Assert.Contains("Gateway.Publish.dll", maps, StringComparison.Ordinal);
        // Gateway.Store is there: it keeps durable subscriptions, too.
        Assert.DoesNotContain("Gateway.Mqtt.dll", maps, StringComparison.Ordinal);
    }

    /// <summary>What the broker missed comes from the newest backwards, behind live data, and all of it.</summary>
    [PeerFact(PeerProgram.Mosquitto)]
    public async Task Broker_AwayWithNewestFirst_TheBacklogComesBackwardsAndWhole()
    {
        broker = await Mosquitto.StartAsync(folder);
        await using Subscriber subscriber = await broker.SubscribeAsync();
        publisher = await Publisher.StartAsync(
            folder, broker.Port, "--Simulator:Tags=500", "--Simulator:ChangesPerSecond=5000",
            "--PubSub:Connections:0:StoreOrder=newest-first",
            "--PubSub:Connections:0:WriterGroups:0:PublishingIntervalMs=50");
        uint last = NumberOf(await subscriber.NextAsync(Publisher.Data));
        await broker.StopAsync();
        await publisher.StoredBytesAsync(BacklogBytes);
        await broker.StartAsync();

        List<uint> numbers = [];
        HashSet<uint> missing = [];
        do
        {
            uint number = NumberOf(await subscriber.NextAsync(Publisher.Data));
            for (; last < number; last++)
                missing.Add(last + 1);
            missing.Remove(number);
            numbers.Add(number);
        }
        while (missing.Count > 0 || numbers.Count < MostInMemory);

        int newest = numbers.IndexOf(numbers.Take(MostInMemory).Max());
        // Those that were under way when the broker went come again first, in their order.
        List<uint> backlog = [.. numbers.Where(number => number < numbers[newest])];
        int backwards = backlog.Zip(backlog.Skip(1)).Count(static pair => pair.Second < pair.First);
        Assert.True(backwards > backlog.Count / 2, $"{backwards} of {backlog.Count} came backwards");
        await publisher.AssertNothingLostAsync();

        static uint NumberOf(Subscriber.Message message) =>
            message.Json.GetProperty("Messages").GetProperty("SequenceNumber").GetUInt32();
    }

    private static async Task<int> StatusAsync(Subscriber subscriber) =>
        (await subscriber.NextAsync(Publisher.Status)).Json.GetProperty("Status").GetInt32();

    private async Task StartAsync()
    {
        broker = await Mosquitto.StartAsync(folder);
        publisher = await Publisher.StartAsync(folder, broker.Port);
    }

    /// <summary>The subscriber is there first, so that it sees every message.</summary>
    private async Task<Subscriber> StartWithSubscriberAsync()
    {
        broker = await Mosquitto.StartAsync(folder);
        Subscriber subscriber = await broker.SubscribeAsync();
        publisher = await Publisher.StartAsync(folder, broker.Port);
        await TakeAsync(subscriber, MessagesPerPhase);
        return subscriber;
    }

    /// <summary>So many messages more.</summary>
    private async Task TakeAsync(Subscriber subscriber, int messages)
    {
        uint end = ledger.Frames + (uint)messages;
        while (ledger.Frames < end)
            ledger.Take(await subscriber.NextAsync(Publisher.Data));
    }
}
