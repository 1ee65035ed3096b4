using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Items;

/// <summary>Nodes that do not push their changes: read once for all sessions. Source: Part 4 §5.13.1.2.</summary>
public sealed class PollingTests : IAsyncLifetime, IAsyncDisposable
{
    private const uint Polled = 500;

    private readonly PublishFixture _plant =
        new(limits: PublishLimits.Default with { MaxPollsPerTurn = 20 }, logger: new BrokenLog());

    private readonly CountingSource _source = new();

    public PollingTests()
    {
        var batch = new NodeBatch();
        for (var i = 0u; i < 100; i++)
            batch.AddVariable(
                new NodeId(Polled + i, 1), new QualifiedName($"Polled{i}", 1), new(new NodeId(11)), _source, default);
        _plant.Nodes.Apply(batch);
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    private int Reads(uint node = Polled) => _source.Reads(_plant.Handle(node));

    private static double[] Values(TestClient client) =>
        [.. client.All().SelectMany(a => a.Changes).Select(c => c.Value.Value.AsDouble())];

    [Fact]
    public void ManySessionsAndRates_OneReadAtTheFastest()
    {
        var fast = _plant.OpenClient();
        var subscription = fast.Subscribe(200, lifetime: 1000);
        var item = fast.Monitor(subscription, Polled, samplingMs: 200);
        for (var i = 0; i < 50; i++)
        {
            var slow = _plant.OpenClient();
            slow.Monitor(slow.Subscribe(1000, lifetime: 1000), Polled, samplingMs: 1000);
        }

        _plant.Advance(10);
        var before = Reads();
        _plant.Advance(10_000);
        Assert.Equal(50, Reads() - before);
        fast.DeleteItem(subscription, item);
        before = Reads();
        _plant.Advance(10_000);
        Assert.InRange(Reads() - before, 10, 11);
        Assert.True(_plant.Engine.Counters.NodePolls >= 60);
    }

    /// <summary>An error on the timer would end the process, and polling with it (R40): here the log fails, too.
    /// </summary>
    [Fact]
    public void TurnFails_NextTurnPollsAgain()
    {
        var client = _plant.OpenClient();
        client.Monitor(client.Subscribe(100), Polled, samplingMs: 100);
        _plant.Advance(1_000);
        _source.Throws = true;
        _plant.Advance(1_000);
        var before = Reads();
        _source.Throws = false;

        _plant.Advance(10_000);

        Assert.InRange(Reads() - before, 80, 101);
    }

    [Fact]
    public void EqualToPublishing_EachCycleHasItsSample()
    {
        var client = _plant.OpenClient();
        client.Monitor(client.Subscribe(100), Polled, samplingMs: -1);
        for (var i = 0; i < 60; i++)
            client.Publish();
        _plant.Advance(5050);
        var values = Values(client);
        Assert.Equal(50, values.Length);
        Assert.All(values.Zip(values.Skip(1)), pair => Assert.Equal(1, pair.Second - pair.First));
    }

    [Fact]
    public void EqualToPublishing_LoopsComeLate_NoCycleIsWithoutASample()
    {
        var client = _plant.OpenClient();
        client.Monitor(client.Subscribe(100), Polled, samplingMs: 100);
        for (var i = 0; i < 60; i++)
            client.Publish();
        var random = new Random(7);
        for (var cycle = 1; cycle <= 50; cycle++)
        {
            // The shard comes up to 20 ms late; the timer fires where it is due.
            _plant.Time.Advance((cycle * 100) + random.Next(20) - _plant.Time.Elapsed.TotalMilliseconds);
            _plant.Advance(0);
        }

        Assert.InRange(Values(client).Length, 49, 50);
    }

    [Fact]
    public void Create_SamplingIsRevised()
    {
        var client = _plant.OpenClient();
        var subscription = client.Subscribe(50);
        double Revised(double sampling) => client.TryMonitor(
            subscription, TestClient.Item(Polled, samplingMs: sampling)).RevisedSamplingInterval;
        Assert.Equal([100, 100, 100, 2000], new[] { Revised(0), Revised(-1), Revised(20), Revised(2000) });
    }

    [Fact]
    public void Create_FirstValueIsThereAtOnce()
    {
        var client = _plant.OpenClient();
        client.Monitor(client.Subscribe(1000), Polled, samplingMs: 1000);
        client.Publish();
        _plant.Advance(1000);
        Assert.True(Assert.Single(Values(client)) >= 1);
    }

    [Fact]
    public void Modify_AnotherRate_IsFollowed()
    {
        var client = _plant.OpenClient();
        var subscription = client.Subscribe(1000);
        var item = client.Monitor(subscription, Polled, samplingMs: 1000);
        client.Session.ModifyMonitoredItems(new ModifyMonitoredItemsRequest
        {
            SubscriptionId = subscription,
            ItemsToModify = [new() { MonitoredItemId = item, RequestedParameters = new() { SamplingInterval = 100 } }],
        });
        _plant.Advance(500);
        var before = Reads();
        _plant.Advance(2000);
        Assert.Equal(20, Reads() - before);
    }

    [Fact]
    public void LastItemGoes_PollingEndsAndTheValueIsForgotten()
    {
        var client = _plant.OpenClient();
        var subscription = client.Subscribe(100);
        var item = client.Monitor(subscription, Polled, samplingMs: 100);
        _plant.Advance(500);
        client.DeleteItem(subscription, item);
        var before = Reads();
        _plant.Advance(2000);
        Assert.Equal(before, Reads());
        Assert.Equal(0, _plant.Engine.Sampler.Count);
        Assert.False(_plant.Store.Contains(_plant.Handle(Polled)));
        Assert.Equal(_plant.Store.CreatedValues, _plant.Store.IdleValues);
    }

    [Fact]
    public void MoreThanATurn_RestComesNextAndIsCounted()
    {
        var client = _plant.OpenClient();
        var subscription = client.Subscribe(1000);
        for (var i = 0u; i < 100; i++)
            client.Monitor(subscription, Polled + i, samplingMs: 1000);
        _plant.Advance(1500);
        Assert.True(_plant.Engine.Counters.DelayedNodePolls > 0);
        var before = Enumerable.Range(0, 100).Select(i => Reads(Polled + (uint)i)).ToArray();
        _plant.Advance(3000);
        Assert.All(Enumerable.Range(0, 100), i => Assert.Equal(3, Reads(Polled + (uint)i) - before[i]));
    }

    [Fact]
    public void SlowSource_IsAskedOnceAtATime()
    {
        _source.IsSlow = true;
        var client = _plant.OpenClient();
        client.Monitor(client.Subscribe(100), Polled, samplingMs: 100);
        for (var i = 0; i < 20; i++)
            client.Publish();
        _plant.Advance(1000);
        Assert.Equal(0, Reads());
        _source.Answer();
        Assert.Equal(1, Reads());
        _plant.Advance(150);
        Assert.Equal(1, Values(client)[^1]);
        _source.Answer();
        _plant.Advance(150);
        Assert.Equal(2, Values(client)[^1]);
    }

    [Fact]
    public void SlowSource_ManyNodesDue_OneRequestATurnForAllOfThem()
    {
        _source.IsSlow = true;
        var client = _plant.OpenClient();
        var subscription = client.Subscribe(1000);
        for (var i = 0u; i < 50; i++)
            client.Monitor(subscription, Polled + i, samplingMs: 1000);

        _plant.Advance(100);

        // Of MaxPollsPerTurn nodes at most.
        Assert.Equal([20, 20, 10], _source.Requests);
        client.Publish();
        _source.Answer();
        _plant.Advance(1000);
        Assert.Equal(50, Values(client).Length);
    }

    [Fact]
    public void SlowSource_FailsLate_AllNodesOfTheRequestAreBadAndAskedForAgain()
    {
        _source.IsSlow = true;
        var client = _plant.OpenClient();
        var subscription = client.Subscribe(100);
        for (var i = 0u; i < 10; i++)
            client.Monitor(subscription, Polled + i, samplingMs: 100);
        for (var i = 0; i < 20; i++)
            client.Publish();
        _plant.Advance(150);
        Assert.Equal([10], _source.Requests);

        _source.Fail();

        _plant.Advance(150);
        var told = client.All().SelectMany(a => a.Changes).Select(c => c.Value.Status.Code).ToList();
        Assert.Equal(Enumerable.Repeat(StatusCodes.BadInternalError, 10), told);
        Assert.Equal([10, 10], _source.Requests);
        _source.Answer();
        _plant.Advance(150);
        Assert.Equal(10, Values(client).Count(value => value == 1));
    }

    [Fact]
    public void BrokenSource_ItsNodeIsBadAndOthersGoOn()
    {
        var client = _plant.OpenClient();
        var subscription = client.Subscribe(100);
        client.Monitor(subscription, Polled, samplingMs: 100);
        for (var i = 0; i < 20; i++)
            client.Publish();
        _plant.Advance(300);
        _source.Throws = true;
        _plant.Advance(300);
        var last = client.All().SelectMany(a => a.Changes).Last();
        Assert.Equal(StatusCodes.BadInternalError, last.Value.Status.Code);
        _source.Throws = false;
        _plant.Advance(300);
        Assert.Equal(StatusCode.Good, client.All().SelectMany(a => a.Changes).Last().Value.Status);
    }

    [Fact]
    public void Disabled_IsNotPolled()
    {
        var client = _plant.OpenClient();
        client.Monitor(client.Subscribe(100), Polled, samplingMs: 100, mode: MonitoringMode.Disabled);
        _plant.Advance(1000);
        Assert.Equal(0, Reads());
        Assert.Empty(_source.Interest);
    }
}
