using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Items;

/// <summary>Queue sizes, discard policy and the Overflow bit. Source: Part 4 §5.13.1.5.</summary>
public sealed class QueueTests : IAsyncLifetime, IAsyncDisposable
{
    private const uint Overflow = 0x0480;

    private readonly PublishFixture _plant = new();
    private readonly TestClient _client;
    private readonly uint _subscription;

    public QueueTests()
    {
        _client = _plant.OpenClient();
        _subscription = _client.Subscribe();
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    private (double Value, uint Status)[] Sweep(int changes)
    {
        for (var i = 1; i <= changes; i++)
            _plant.Set(1, i);
        _client.Publish();
        _plant.Advance(100);
        return [.. _client.Next().Changes.Select(c => (c.Value.Value.AsDouble(), c.Value.Status.Code))];
    }

    [Fact]
    public void SizeOne_ManyChanges_NewestWithoutOverflowBit()
    {
        _client.Monitor(_subscription, 1, discardOldest: false);
        Assert.Equal([(4, 0u)], Sweep(4));
    }

    [Fact]
    public void SizeZero_IsRevisedToOne() =>
        Assert.Equal(1u, _client.TryMonitor(_subscription, TestClient.Item(1, queueSize: 0)).RevisedQueueSize);

    [Fact]
    public void DiscardOldest_Overflows_NextOldestIsFlagged()
    {
        _plant.Set(1, 0);
        _client.Monitor(_subscription, 1, queueSize: 3);
        Assert.Equal([(3, Overflow), (4, 0u), (5, 0u)], Sweep(5));
        Assert.Equal(3, _plant.Engine.Counters.Overflows);
    }

    [Fact]
    public void DiscardNewest_Overflows_LastIsReplacedAndFlagged()
    {
        _plant.Set(1, 0);
        _client.Monitor(_subscription, 1, queueSize: 3, discardOldest: false);
        Assert.Equal([(0, 0u), (1, 0u), (5, Overflow)], Sweep(5));
    }

    /// <summary>An upstream's queue was full: its Overflow bit is said of that change alone.</summary>
    [Fact]
    public void SourceLostChanges_ToldWithTheChangeAndToNobodyWhoComesLater()
    {
        _plant.Set(1, 0);
        _client.Monitor(_subscription, 1, queueSize: 3);
        _plant.Set(1, 1, Overflow);
        _plant.Set(1, 2);
        Assert.Equal([(0, 0u), (1, Overflow), (2, 0u)], Sweep(0));

        _plant.Set(1, 3, Overflow);
        Assert.Equal([(3, Overflow)], Sweep(0));
        Assert.Equal(0u, _plant.Store.Read(_plant.Handle(1)).Status.Code);
        _client.Monitor(_subscription, 1);
        Assert.Equal([(3, 0u)], Sweep(0));
    }

    [Fact]
    public void ExactlyFull_NoBit()
    {
        _plant.Set(1, 0);
        _client.Monitor(_subscription, 1, queueSize: 3);
        Assert.Equal([(0, 0u), (1, 0u), (2, 0u)], Sweep(2));
    }

    [Fact]
    public void LongQueue_GrowsAndKeepsOrder()
    {
        _plant.Set(1, 0);
        _client.Monitor(_subscription, 1, queueSize: 100);
        Assert.Equal(Enumerable.Range(0, 61).Select(i => ((double)i, 0u)), Sweep(60));
        Assert.Equal(Enumerable.Range(1, 50).Select(i => ((double)i, 0u)), Sweep(50));
    }

    [Fact]
    public void ShardLags_LastValueComesFlaggedAndInOrder()
    {
        var limits = PublishLimits.Default with { MaxPendingChangesPerShard = 8 };
        var plant = new PublishFixture(limits: limits);
        var client = plant.OpenClient();
        var subscription = client.Subscribe();
        plant.Set(1, 0);
        client.Monitor(subscription, 1, queueSize: 100);
        for (var i = 1; i <= 50; i++)
            plant.Set(1, i);
        client.Publish();
        plant.Advance(100);
        var changes = client.Next().Changes;
        Assert.Equal(50, changes[^1].Value.Value.AsDouble());
        Assert.Equal(Overflow, changes[^1].Value.Status.Code);
        Assert.Equal([0, 1, 2, 3, 4, 5, 6, 7, 8, 50], changes.Select(c => c.Value.Value.AsDouble()));
        Assert.Equal(42, plant.Engine.Counters.CoalescedChanges);

        plant.Set(1, 51);
        client.Publish();
        plant.Advance(100);
        Assert.Equal(0u, Assert.Single(client.Next().Changes).Value.Status.Code);
    }
}
