using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;
using Gateway.Testing;

namespace Gateway.Publish.Tests.Shards;

/// <summary>What happens to changes when a shard cannot keep up: bounded, counted, told by the Overflow bit, and felt
/// by nobody else.</summary>
public sealed class CoalescingTests
{
    private const uint Overflow = 0x480;
    private const int Pending = 1000;
    private static readonly PublishLimits Small = PublishLimits.Default with { MaxPendingChangesPerShard = Pending };

    [Fact]
    public async Task ShardStandsStill_MillionChanges_MemoryStaysBounded()
    {
        await using var plant = new PublishFixture(tags: 100, limits: Small);
        var client = plant.OpenClient();
        var subscription = client.Subscribe();
        for (var i = 1u; i <= 100; i++)
            client.Monitor(subscription, i, queueSize: 10);
        var nodes = Enumerable.Range(1, 100).Select(i => plant.Handle((uint)i)).ToArray();
        for (var round = 0; round < 10_000; round++)
        {
            var batch = plant.Store.BeginBatch();
            foreach (var node in nodes)
                batch.Set(node, new DataValue(new Variant((double)round)));
            batch.Commit();
        }

        // One current value a node, what waits for the shard, the first values in the queues, one in flight.
        Assert.InRange(plant.Store.CreatedValues, 1, nodes.Length + Pending + nodes.Length + 1);
        Assert.True(plant.Engine.Shards[0].Inbox.Pending <= Pending);
        Assert.Equal(1_000_000 - plant.Engine.Shards[0].Inbox.Pending, plant.Engine.Counters.CoalescedChanges);
    }

    [Theory]
    [InlineData(true, new[] { Pending - 1.0, Pending, 5000 })]
    [InlineData(false, new[] { 0.0, 1, 5000 })]
    public async Task ShardLagged_EachQueueByItsOwnRule(bool discardOldest, double[] expected)
    {
        await using var plant = new PublishFixture(limits: Small);
        var client = plant.OpenClient();
        var subscription = client.Subscribe();
        plant.Set(1, 0);
        client.Monitor(subscription, 1, queueSize: 3, discardOldest: discardOldest);
        for (var i = 1; i <= 5000; i++)
            plant.Set(1, i);
        client.Publish();
        plant.Advance(100);
        var changes = client.Next().Changes;
        Assert.Equal(expected, changes.Select(change => change.Value.Value.AsDouble()));
        Assert.Equal(Overflow, changes[^1].Value.Status.Code);
    }

    [Fact]
    public async Task OneShardStandsStill_ProducersAndTheOtherGoOn()
    {
        await using var plant = new PublishFixture(limits: Small, shards: 2);
        var (first, second) = (plant.OpenClient(), plant.OpenClient());
        Assert.NotSame(first.Session.Shard, second.Session.Shard);
        foreach (var client in new[] { first, second })
            client.Monitor(client.Subscribe(), 1, queueSize: 1000);
        var running = second.Session.Shard;

        // Held by the test: a producer that needed the shard would wait for ever.
        lock (first.Session.Shard.Lock)
        {
            var producers = Enumerable.Range(0, 4).Select(_ => new Thread(() =>
            {
                for (var i = 0; i < 10_000; i++)
                    plant.Set(1, i);
            })).ToList();
            producers.ForEach(producer => producer.Start());
            Assert.All(producers, producer => Assert.True(producer.Join(Patience.Limit)));
        }

        second.Publish();
        plant.Time.Advance(100);
        running.RunOnce();
        Assert.Equal(9_999, second.Next().Changes[^1].Value.Value.AsDouble());
    }

    [Fact]
    public async Task TenThousandSubscriptionsOnOneTag_OneEncodingAChange()
    {
        await using var plant = new PublishFixture();
        var clients = new List<QuietClient>();
        plant.Set(1, 0);
        for (var i = 0; i < 10_000; i++)
            clients.Add(new QuietClient(plant));
        plant.Advance(1000);
        var encoded = plant.Store.EncodedValues;
        for (var change = 1; change <= 5; change++)
        {
            foreach (var client in clients)
                client.Publish();
            plant.Set(1, change);
            plant.Advance(1000);
        }

        Assert.Equal(5, plant.Store.EncodedValues - encoded);
        Assert.Equal(60_000, plant.Engine.Counters.Notifications);
        Assert.True(plant.Store.CreatedValues <= 4);
    }

    [Fact]
    public async Task MoreChangesThanATurnTakes_EachMessageLeavesBeforeAllAreHandedOut()
    {
        const int items = 1000;
        const int changes = 600;
        await using var plant = new PublishFixture();
        var clients = Enumerable.Range(0, 4).Select(_ => plant.OpenClient()).ToList();
        plant.Set(1, 0);
        for (var i = 0; i < clients.Count; i++)
        {
            var subscription = clients[i].Subscribe();
            for (var item = 0; item < (i == 0 ? items : 1); item++)
                clients[i].Monitor(subscription, 1);
        }

        for (var i = 1; i <= changes; i++)
            plant.Set(1, i);
        clients.ForEach(static client => client.Publish());
        plant.Time.Advance(100);
        plant.Engine.Shards[0].RunOnce();
        Assert.All(clients, static client => Assert.NotEmpty(client.Next().Changes));
        Assert.InRange(plant.Engine.Shards[0].Inbox.Pending, 1, changes);

        clients.ForEach(static client => client.Publish());
        plant.Advance(1000);
        Assert.All(clients, static client => Assert.Equal(changes, client.Next().Changes[^1].Value.Value.AsDouble()));
    }

    private sealed class QuietClient
    {
        private readonly PublishSession _session;
        private readonly QuietOutput _output = new();
        private uint _requests;

        public QuietClient(PublishFixture plant)
        {
            _session = plant.Engine.OpenSession(_output, _output, SessionOwner.Unknown);
            var subscription = _session.CreateSubscription(new CreateSubscriptionRequest
            {
                RequestedPublishingInterval = 1000,
                PublishingEnabled = true,
            }).SubscriptionId;
            _session.CreateMonitoredItems(new CreateMonitoredItemsRequest
            {
                SubscriptionId = subscription,
                ItemsToCreate = [TestClient.Item(1)],
            });
            Publish();
        }

        public void Publish()
        {
            Assert.Equal(StatusCode.Good, _session.Publish(++_requests, new RequestHeader { TimeoutHint = 0 }, []));
        }
    }
}
