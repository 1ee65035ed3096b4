using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Model;
using Gateway.Publish.Tests.Support;
using Gateway.Testing;

namespace Gateway.Publish.Tests.Shards;

/// <summary>From a changing value to the channel, with acknowledgements: nothing is allocated in the steady state.
/// Alone: a test beside it takes buffers out of the process's pools, and then a new one is made here.</summary>
[Collection(Name)]
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class AllocationTests
{
    private const string Name = "allocations of the publish engine";

    [Theory]
    [InlineData(1, 0.0, 1u)]
    [InlineData(1, 0.0, 5u)]
    [InlineData(1, -1.0, 1u)]
    [InlineData(100, 0.0, 1u)]
    [InlineData(100, 0.0, 5u)]
    [InlineData(100, -1.0, 1u)]
    [InlineData(1000, 0.0, 1u)]
    [InlineData(4000, 0.0, 1u)]
    public async Task SteadyState_ItemsAMessage_AllocatesNothing(int tags, double samplingMs, uint queueSize)
    {
        await using var plant = new PublishFixture(tags);
        var output = new QuietOutput();
        var session = plant.Engine.OpenSession(output, output, SessionOwner.Unknown);
        var subscription = session.CreateSubscription(new CreateSubscriptionRequest
        {
            RequestedPublishingInterval = 100,
            PublishingEnabled = true,
        }).SubscriptionId;
        session.CreateMonitoredItems(new CreateMonitoredItemsRequest
        {
            SubscriptionId = subscription,
            ItemsToCreate = [.. Enumerable.Range(1, tags).Select(
                i => TestClient.Item((uint)i, queueSize: queueSize, samplingMs: samplingMs))],
        });
        var nodes = Enumerable.Range(1, tags).Select(i => plant.Handle((uint)i)).ToArray();
        var acknowledgement = new SubscriptionAcknowledgement[1];

        var cycle = 0;
        for (var warming = 0; warming < 200; warming++)
            Cycle();

        Assert.Equal(0, Allocations.Least(() => Enumerable.Range(0, 50).Sum(_ => Cycle())));
        Assert.Equal(cycle, output.Messages);
        Assert.True(plant.Engine.Counters.Notifications >= cycle * tags);

        long Cycle()
        {
            cycle++;
            var before = GC.GetAllocatedBytesForCurrentThread();
            var batch = plant.Store.BeginBatch();
            for (var change = 0; change < 3; change++)
            {
                foreach (var node in nodes)
                    batch.Set(node, new DataValue(new Variant((double)(cycle * 3 + change))));
            }

            batch.Commit();
            plant.Store.Set(nodes[0], new DataValue(new Variant(cycle + 0.5)));
            acknowledgement[0] = new() { SubscriptionId = subscription, SequenceNumber = output.SequenceNumber };
            session.Publish((uint)cycle, new RequestHeader { TimeoutHint = 60_000 }, acknowledgement);
            var allocated = GC.GetAllocatedBytesForCurrentThread() - before;

            plant.Time.Advance(100);
            before = GC.GetAllocatedBytesForCurrentThread();
            plant.Engine.Shards[0].RunOnce();
            return allocated + GC.GetAllocatedBytesForCurrentThread() - before;
        }
    }

    /// <summary>From an event that is there to the channel: 0 B an event, also where a burst makes the queues long.
    /// </summary>
    [Theory]
    [InlineData(1)]
    [InlineData(200)]
    public async Task SteadyState_EventsAMessage_AllocatesNothing(int events)
    {
        const int Items = 10;
        await using var plant = new PublishFixture();
        var server = new NodeId(StandardIds.Objects.Server);
        plant.Nodes.Apply(new NodeBatch().AddNode(new NodeDefinition
        {
            NodeId = server,
            NodeClass = NodeClass.Object,
            BrowseName = new QualifiedName("Server"),
            EventNotifier = EventNotifierType.SubscribeToEvents,
            HasOwnEvents = true,
        }));
        var output = new QuietOutput();
        var session = plant.Engine.OpenSession(output, output, SessionOwner.Unknown);
        var subscription = session.CreateSubscription(new CreateSubscriptionRequest
        {
            RequestedPublishingInterval = 100,
            PublishingEnabled = true,
        }).SubscriptionId;
        var request = TestClient.Item(
            1, 1_000, attribute: AttributeId.EventNotifier, filter: new EventFilter
            {
                SelectClauses = [.. new[] { "EventId", "Time", "Severity", "Message" }.Select(
                    static name => new SimpleAttributeOperand
                    {
                        TypeDefinitionId = new NodeId(StandardIds.ObjectTypes.BaseEventType),
                        BrowsePath = [new QualifiedName(name)],
                        AttributeId = (uint)AttributeId.Value,
                    })],
            });
        request = request with { ItemToMonitor = request.ItemToMonitor with { NodeId = server } };
        var created = session.CreateMonitoredItems(new CreateMonitoredItemsRequest
        {
            SubscriptionId = subscription,
            ItemsToCreate = [.. Enumerable.Repeat(request, Items)],
        });
        Assert.All(created.Results!, static one => Assert.Equal(StatusCode.Good, one.StatusCode));
        var record = plant.Engine.Events.Maker.Make(StandardEvents.SystemEvent, default, "Server", "words", 500);
        var acknowledgement = new SubscriptionAcknowledgement[1];

        var cycle = 0;
        for (var warming = 0; warming < 200; warming++)
            Cycle();

        Assert.Equal(0, Allocations.Least(() => Enumerable.Range(0, 50).Sum(_ => Cycle())));
        Assert.True(plant.Engine.Counters.Notifications >= (long)cycle * events * Items);

        long Cycle()
        {
            cycle++;
            var before = GC.GetAllocatedBytesForCurrentThread();
            for (var i = 0; i < events; i++)
                plant.Engine.Events.Raise(record);
            acknowledgement[0] = new() { SubscriptionId = subscription, SequenceNumber = output.SequenceNumber };
            session.Publish((uint)cycle, new RequestHeader { TimeoutHint = 60_000 }, acknowledgement);
            var allocated = GC.GetAllocatedBytesForCurrentThread() - before;

            plant.Time.Advance(100);
            before = GC.GetAllocatedBytesForCurrentThread();
            plant.Engine.Shards[0].RunOnce();
            return allocated + GC.GetAllocatedBytesForCurrentThread() - before;
        }
    }
}
