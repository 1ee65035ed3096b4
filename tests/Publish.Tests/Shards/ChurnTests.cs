using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;
using Gateway.Testing;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Publish.Tests.Shards;

/// <summary>Sessions that come, change everything and go, on many threads while values change and shards sweep: nothing
/// deadlocks, nothing is left behind, no value is returned twice or lost to the pool.</summary>
public sealed class ChurnTests
{
    private const int Tags = 8;

    [Fact]
    public async Task Churn_ManyThreads_LeavesNothingBehind()
    {
        await using var plant = new PublishFixture(Tags);
        var limits = PublishLimits.Default with { PublishShards = 2, MaxPendingChangesPerShard = 2000 };
        await using var engine = new PublishEngine(
            plant.Nodes, plant.Store, limits, new PlantLateness(), TimeProvider.System,
            NullLogger<PublishEngine>.Instance);
        engine.Start();
        using var stop = new CancellationTokenSource();
        var producer = Task.Run(() => Produce(plant, stop.Token));
        var clients = Enumerable.Range(0, 6).Select(seed => Task.Run(() => Churn(engine, seed))).ToArray();
        await Task.WhenAll(clients).WaitAsync(Patience.Limit);
        await stop.CancelAsync();
        await producer;

        var counters = engine.Counters;
        Assert.Equal((0, 0, 0L, 0L), (
            counters.Subscriptions, counters.MonitoredItems, counters.QueueCapacity, counters.RetransmissionBytes));
        for (var node = 1u; node <= Tags; node++)
            Assert.False(plant.Store.IsWatched(plant.Handle(node)));
        Assert.All(engine.Shards, shard => Assert.Equal(0, shard.Changes.Book.Nodes));
    }

    private static void Produce(PublishFixture plant, CancellationToken stop)
    {
        for (var i = 0; !stop.IsCancellationRequested; i++)
        {
            var batch = plant.Store.BeginBatch();
            for (var node = 1u; node <= Tags; node++)
                batch.Set(plant.Handle(node), new DataValue(new Variant((double)i)));
            batch.Commit();
            Thread.Yield();
        }
    }

    private static async Task Churn(PublishEngine engine, int seed)
    {
        var random = new Random(seed);
        for (var round = 0; round < 15; round++)
        {
            var output = new Sink();
            var session = engine.OpenSession(output, output, SessionOwner.Unknown);
            var subscriptions = new List<uint>();
            for (var step = 0; step < 60; step++)
                Step(session, subscriptions, random);
            session.Close(deleteSubscriptions: true);
        }

        await ServeOnce(engine);
    }

    /// <summary>The engine still answers whoever comes next.</summary>
    private static async Task ServeOnce(PublishEngine engine)
    {
        var output = new Sink();
        var session = engine.OpenSession(output, output, SessionOwner.Unknown);
        session.CreateSubscription(new CreateSubscriptionRequest { RequestedPublishingInterval = 10 });
        Publish(session, 0);
        await output.Answered.Task.WaitAsync(Patience.Limit);
        session.Close(deleteSubscriptions: true);
    }

    private static void Publish(PublishSession session, uint timeoutHint)
    {
        session.Publish(1, new RequestHeader { TimeoutHint = timeoutHint }, []);
    }

    private static void Step(PublishSession session, List<uint> subscriptions, Random random)
    {
        var any = subscriptions.Count > 0 ? subscriptions[random.Next(subscriptions.Count)] : 0;
        switch (random.Next(8))
        {
            case 0:
                subscriptions.Add(session.CreateSubscription(new CreateSubscriptionRequest
                {
                    RequestedPublishingInterval = 10,
                    PublishingEnabled = true,
                }).SubscriptionId);
                break;
            case 1 when random.Next(3) == 0:
                session.DeleteSubscriptions(new DeleteSubscriptionsRequest { SubscriptionIds = [any] });
                subscriptions.Remove(any);
                break;
            case 2:
                session.DeleteMonitoredItems(new DeleteMonitoredItemsRequest
                {
                    SubscriptionId = any,
                    MonitoredItemIds = [.. Enumerable.Range(1, 10).Select(i => (uint)i)],
                });
                break;
            case 3:
                session.ModifySubscription(new ModifySubscriptionRequest
                {
                    SubscriptionId = any,
                    RequestedPublishingInterval = random.Next(10, 30),
                });
                break;
            case 4 or 5:
                session.CreateMonitoredItems(new CreateMonitoredItemsRequest
                {
                    SubscriptionId = any,
                    ItemsToCreate = [.. Enumerable.Range(1, Tags).Select(i => TestClient.Item(
                        (uint)i, queueSize: (uint)random.Next(1, 4), samplingMs: random.Next(-1, 20)))],
                });
                break;
            default:
                Publish(session, (uint)random.Next(3));
                break;
        }
    }

    private sealed class Sink : INotificationOutput, IItemAccess
    {
        public TaskCompletionSource Answered { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public int MaxResponseSizeBytes => 0;

        public StatusCode Send(PooledBuffer message, uint requestId)
        {
            Answered.TrySetResult();
            return StatusCode.Good;
        }

        public void Flush()
        {
        }

        public StatusCode CheckMonitor(NodeHandle node, AttributeId attribute) => StatusCode.Good;
    }
}
