using System.Collections.Concurrent;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;
using Gateway.Testing;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Publish.Tests.Transfer;

/// <summary>Real threads and both shards' loops: floods of Modify, Delete and Transfer while sweeps run and values
/// change. What stays subscribed gets every value in order; nothing deadlocks, nothing is left behind.</summary>
public sealed class TransferStressTests
{
    private const int Tags = 4;
    private const int Rounds = 300;
    private static readonly SessionOwner Alice = new("UserName:alice", false, "urn:a", true);

    [Fact]
    public async Task Flood_ModifyDeleteTransferDuringSweeps_NothingLostOrLeft()
    {
        await using var plant = new PublishFixture(Tags);
        var limits = PublishLimits.Default with
        {
            PublishShards = 2,
            MaxMonitoredItemsQueueSize = 100_000,
            MaxPendingChangesPerShard = 1_000_000,
        };
        await using var engine = new PublishEngine(
            plant.Nodes, plant.Store, limits, new PlantLateness(), TimeProvider.System,
            NullLogger<PublishEngine>.Instance);
        for (var node = 1u; node <= Tags; node++)
            plant.Set(node, 0);
        var sessions = Enumerable.Range(0, 4).Select(_ => new Peer(engine)).ToArray();
        var kept = sessions[0].Subscribe(Tags);
        engine.Start();
        using var stop = new CancellationTokenSource();
        var producer = Task.Run(() => Produce(plant, stop.Token));
        var floods = sessions.Select((peer, i) => Task.Run(() => Flood(peer, i))).ToArray();
        var mover = Task.Run(() => Move(sessions, kept));
        await Task.WhenAll([.. floods, mover]).WaitAsync(Patience.Limit);
        await stop.CancelAsync();
        var last = await producer;

        var values = await Drain(sessions, kept, last).WaitAsync(Patience.Limit);
        for (var node = 1u; node <= Tags; node++)
            Assert.Equal(Enumerable.Range(0, last + 1).Select(value => (double)value), values[node]);
        foreach (var session in sessions)
            session.Session.Close(deleteSubscriptions: true);
        AssertNothingLeft(engine, plant);
    }

    private static int Produce(PublishFixture plant, CancellationToken stop)
    {
        var value = 0;
        while (!stop.IsCancellationRequested && value < 20_000)
        {
            var batch = plant.Store.BeginBatch();
            value++;
            for (var node = 1u; node <= Tags; node++)
                batch.Set(plant.Handle(node), new DataValue(new Variant((double)value)));
            batch.Commit();
            Thread.Yield();
        }

        return value;
    }

    /// <summary>Subscriptions that come, are changed in every way and go, half of them by another session's hand.
    /// </summary>
    private static void Flood(Peer peer, int seed)
    {
        var random = new Random(seed);
        for (var round = 0; round < Rounds; round++)
        {
            var subscription = peer.Subscribe(random.Next(Tags));
            for (var i = 0; i < 5; i++)
            {
                peer.Session.ModifySubscription(new ModifySubscriptionRequest
                {
                    SubscriptionId = subscription,
                    RequestedPublishingInterval = random.Next(10, 30),
                });
                peer.Publish();
            }

            peer.Session.DeleteSubscriptions(new DeleteSubscriptionsRequest { SubscriptionIds = [subscription] });
        }
    }

    private static void Move(Peer[] sessions, uint subscription)
    {
        for (var i = 1; i <= Rounds; i++)
        {
            var to = sessions[i % sessions.Length];
            var result = to.Session.TransferSubscriptions(
                new TransferSubscriptionsRequest { SubscriptionIds = [subscription] }).Results![0];
            Assert.Equal(StatusCode.Good, result.StatusCode);
            to.Session.Serve();
            to.Publish();
            Thread.Yield();
        }
    }

    /// <summary>All messages of the subscription, by sequence number: which session got one does not matter.</summary>
    private static async Task<Dictionary<uint, List<double>>> Drain(Peer[] sessions, uint subscription, int last)
    {
        using var timer = new PeriodicTimer(TimeSpan.FromMilliseconds(10));
        while (true)
        {
            foreach (var peer in sessions)
                peer.Publish();
            var messages = sessions
                .SelectMany(peer => peer.Received)
                .Where(message => message.Subscription == subscription)
                .OrderBy(message => message.Sequence);
            var values = Enumerable.Range(1, Tags).ToDictionary(node => (uint)node, _ => new List<double>());
            foreach (var (_, _, changes) in messages)
            {
                foreach (var (node, value) in changes)
                    values[node].Add(value);
            }

            if (values.Values.All(seen => seen.Count > 0 && seen[^1] >= last))
                return values;
            await timer.WaitForNextTickAsync();
        }
    }

    private static void AssertNothingLeft(PublishEngine engine, PublishFixture plant)
    {
        var counters = engine.Counters;
        Assert.Equal((0, 0, 0L, 0L), (
            counters.Subscriptions, counters.MonitoredItems, counters.QueueCapacity, counters.RetransmissionBytes));
        Assert.Equal((0, 0), (engine.Subscriptions.Count, engine.Quotas.Users.Count));
        Assert.All(engine.Shards, shard => Assert.Equal((0, 0), (shard.Scheduled, shard.Changes.Book.Nodes)));
        for (var node = 1u; node <= Tags; node++)
            Assert.False(plant.Store.IsWatched(plant.Handle(node)));
    }

    private readonly record struct Message(uint Subscription, uint Sequence, (uint Node, double Value)[] Changes);

    /// <summary>A session that notes what it is sent.</summary>
    private sealed class Peer : INotificationOutput, IItemAccess
    {
        private uint _requests;

        public Peer(PublishEngine engine) => Session = engine.OpenSession(this, this, Alice);

        public PublishSession Session { get; }

        public ConcurrentQueue<Message> Received { get; } = new();

        public int MaxResponseSizeBytes => 0;

        public StatusCode CheckMonitor(NodeHandle node, AttributeId attribute) => StatusCode.Good;

        public StatusCode Send(PooledBuffer message, uint requestId)
        {
            var reader = new UaBinaryReader(message.WrittenSpan);
            if (reader.ReadNodeId().Numeric != 829)
                return StatusCode.Good;
            var response = PublishResponse.Decode(ref reader);
            if (response.NotificationMessage.NotificationData is [{ Body: DataChangeNotification data }, ..])
            {
                Received.Enqueue(new Message(
                    response.SubscriptionId,
                    response.NotificationMessage.SequenceNumber,
                    [.. data.MonitoredItems!.Select(item => (item.ClientHandle, item.Value.Value.AsDouble()))]));
            }

            return StatusCode.Good;
        }

        public void Flush()
        {
        }

        public uint Subscribe(int items)
        {
            var subscription = Session.CreateSubscription(new CreateSubscriptionRequest
            {
                RequestedPublishingInterval = 10,
                PublishingEnabled = true,
            }).SubscriptionId;
            if (items > 0)
            {
                Session.CreateMonitoredItems(new CreateMonitoredItemsRequest
                {
                    SubscriptionId = subscription,
                    ItemsToCreate =
                    [
                        .. Enumerable.Range(1, items).Select(i => TestClient.Item((uint)i, queueSize: 100_000)),
                    ],
                });
            }

            return subscription;
        }

        public void Publish()
        {
            Session.Publish(Interlocked.Increment(ref _requests), default, []);
        }
    }
}
