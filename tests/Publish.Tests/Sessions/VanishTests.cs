using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Sessions;

/// <summary>What a client leaves behind: nothing, once its lifetimes are over, whatever the wall clock says (R09, R28,
/// R37).</summary>
public sealed class VanishTests : IAsyncLifetime, IAsyncDisposable
{
    private const int Tags = 5;

    private readonly PublishFixture _plant = new(Tags, shards: 2);

    public static TheoryData<double> Jumps => [1, -1, 24 * 3650, -24 * 3650];

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Close_ManyClients_EverythingIsBackAtTheStart(bool delete)
    {
        var values = _plant.Store.CreatedValues - _plant.Store.IdleValues;
        var clients = Enumerable.Range(0, 20).Select(_ => _plant.OpenClient()).ToArray();
        foreach (var client in clients)
            Use(client);
        _plant.Advance(500);
        foreach (var client in clients)
            client.Session.Close(delete);
        Assert.Equal(delete ? 0 : 60, _plant.Engine.Subscriptions.Count);
        _plant.Advance(delete ? 300 : 10_400);
        AssertNothingLeft();
        // One current value a node stays.
        Assert.Equal(values + Tags, _plant.Store.CreatedValues - _plant.Store.IdleValues);
    }

    [Fact]
    public void Vanish_NoRequestComesAnyMore_SubscriptionsEndWithTheirLifetimeExactly()
    {
        var client = _plant.OpenClient();
        var subscription = client.Subscribe(intervalMs: 1000, lifetime: 10, keepAlive: 3);
        client.Monitor(subscription, 1);
        client.IsOpen = false;
        client.Session.LoseOutput();
        _plant.Advance(9_999);
        Assert.Equal(1, _plant.Engine.Subscriptions.Count);
        _plant.Advance(1);
        Assert.Equal(0, _plant.Engine.Subscriptions.Count);
        client.Session.Close(deleteSubscriptions: false);
        _plant.Advance(300);
        AssertNothingLeft();
    }

    /// <summary>The end of the channel before is told late.</summary>
    [Fact]
    public void LoseOutput_SessionIsOnAnotherChannelAlready_ItsRequestsStay()
    {
        var client = _plant.OpenClient();
        var subscription = client.Subscribe(intervalMs: 1000);
        client.Monitor(subscription, 1);
        client.Publish();
        client.Session.LoseOutput();
        _plant.Advance(1000);
        Assert.Single(client.Next().Changes);
    }

    [Theory]
    [MemberData(nameof(Jumps))]
    public void WallClock_Jumps_NoCycleDeadlineSampleOrLifetimeMoves(double hours)
    {
        var client = _plant.OpenClient();
        var subscription = client.Subscribe(intervalMs: 1000, lifetime: 10, keepAlive: 3);
        client.Monitor(subscription, 1, samplingMs: 500);
        client.Publish();
        client.TryPublish(3_000);
        _plant.Advance(500);
        _plant.Time.MoveWallClock(TimeSpan.FromHours(hours));
        _plant.Advance(499);
        Assert.Equal(0, client.Pending);
        _plant.Advance(1);
        Assert.Single(client.Next().Changes);
        _plant.Set(1, 5);
        _plant.Time.MoveWallClock(TimeSpan.FromHours(-2 * hours));
        _plant.Advance(999);
        Assert.Equal(0, client.Pending);
        _plant.Advance(1);
        Assert.Single(client.Next().Changes);

        // Answered a tenth before its hint.
        client.TryPublish(2_500);
        _plant.Time.MoveWallClock(TimeSpan.FromHours(hours));
        _plant.Advance(2_249);
        Assert.Equal(1, client.Session.HeldPublishRequests);
        _plant.Advance(510);
        Assert.Equal(0, client.Session.HeldPublishRequests);
        client.All();
        _plant.Time.MoveWallClock(TimeSpan.FromHours(hours));
        _plant.Advance(6_000);
        Assert.Equal(1, client.Session.SubscriptionCount);
        _plant.Advance(4_300);
        Assert.Equal(0, client.Session.SubscriptionCount);
    }

    private void Use(TestClient client)
    {
        for (var i = 0; i < 3; i++)
        {
            var subscription = client.Subscribe(intervalMs: 100 + (i * 50), lifetime: 30);
            for (var node = 1u; node <= Tags; node++)
            {
                client.Monitor(subscription, node, queueSize: 4, samplingMs: 20 * i);
                _plant.Set(node, i + 1);
            }

            client.TryPublish((uint)i * 1000);
        }
    }

    private void AssertNothingLeft()
    {
        var (engine, counters) = (_plant.Engine, _plant.Engine.Counters);
        Assert.Equal((0, 0, 0L, 0L), (
            counters.Subscriptions, counters.MonitoredItems, counters.QueueCapacity, counters.RetransmissionBytes));
        Assert.Equal((0, 0), (engine.Subscriptions.Count, engine.Quotas.Users.Count));
        Assert.All(engine.Shards, shard => Assert.Equal((0, 0), (shard.Scheduled, shard.Changes.Book.Nodes)));
        for (var node = 1u; node <= Tags; node++)
            Assert.False(_plant.Store.IsWatched(_plant.Handle(node)));
    }
}
