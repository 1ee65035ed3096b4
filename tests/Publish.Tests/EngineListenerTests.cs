using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Publish.Tests;

/// <summary>What an engine hears of the nodes and says to their sources, also where another engine is there.</summary>
public sealed class EngineListenerTests
{
    [Fact]
    public async Task Nodes_TwoEngines_BothFollowUntilTheyAreDisposed()
    {
        await using var plant = new PublishFixture();
        var heard = new Listener();
        using var registration = plant.Store.Listen(heard);
        await using var other = new PublishEngine(
            plant.Nodes, plant.Store, PublishLimits.Default with { PublishShards = 1 }, new PlantLateness(),
            plant.Time, NullLogger<PublishEngine>.Instance);
        plant.Set(1, 1);
        var client = new TestClient();
        client.Session = other.OpenSession(client, client, SessionOwner.Unknown);
        client.Monitor(client.Subscribe(), 1);

        plant.Nodes.Apply(new NodeBatch().Remove(plant.Handle(1)));
        client.Publish();
        plant.Time.Advance(200);
        other.Shards[0].RunOnce();

        Assert.Equal([true, false], heard.Calls);
        var change = Assert.Single(client.Next().Changes);
        Assert.Equal(StatusCodes.BadNodeIdUnknown, change.Value.Status.Code);
        await other.DisposeAsync();
        plant.Nodes.Apply(new NodeBatch().Remove(plant.Handle(2)));
    }

    [Fact]
    public async Task OnInterest_SourceThrows_ItemIsThereAndTheSourceIsToldAgain()
    {
        await using var plant = new PublishFixture();
        var source = new CountingSource { ThrowsOnInterest = true };
        plant.Nodes.SetSource(plant.Handle(1), source);
        var client = plant.OpenClient();
        var subscription = client.Subscribe();

        var item = client.Monitor(subscription, 1);
        client.DeleteItem(subscription, item);
        client.Monitor(subscription, 1);

        Assert.Equal([true, false, true], source.Interest.Select(told => told.Wanted));
        Assert.Equal(1, plant.Engine.Counters.MonitoredItems);
    }

    private sealed class Listener : IInterestListener
    {
        public List<bool> Calls { get; } = [];

        public void OnInterest(NodeHandle node, bool wanted) => Calls.Add(wanted);
    }
}
