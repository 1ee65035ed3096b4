using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Subscriptions;

/// <summary>The numbers of SubscriptionDiagnosticsDataType (Part 5 §12.15).</summary>
public sealed class DiagnosticsTests : IAsyncLifetime, IAsyncDisposable
{
    private static readonly SessionOwner Alice = new("UserName:alice", false, "urn:a", true)
    {
        SessionId = new NodeId(77, 1),
    };

    private readonly PublishFixture _plant = new(shards: 2);
    private readonly TestClient _client;

    public DiagnosticsTests() => _client = _plant.OpenClient(Alice);

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Fact]
    public void Read_NewSubscription_SaysWhatWasRevised()
    {
        var subscription = _client.Subscribe(intervalMs: 200, keepAlive: 4, lifetime: 60, priority: 9);
        var read = Read(subscription);
        Assert.Equal((Alice.SessionId, subscription, (byte)9), (read.SessionId, read.SubscriptionId, read.Priority));
        Assert.Equal((200.0, 4u, 60u), (read.PublishingInterval, read.MaxKeepAliveCount, read.MaxLifetimeCount));
        Assert.Equal((true, 1u), (read.PublishingEnabled, read.NextSequenceNumber));
    }

    [Fact]
    public void Read_AfterServices_CountsThem()
    {
        var subscription = _client.Subscribe();
        _client.SetPublishing(subscription, false);
        _client.SetPublishing(subscription, true);
        _client.SetPublishing(subscription, true);
        _client.Session.ModifySubscription(new ModifySubscriptionRequest { SubscriptionId = subscription });
        _client.Republish(subscription, 5);
        var read = Read(subscription);
        Assert.Equal((1u, 2u, 1u), (read.ModifyCount, read.EnableCount, read.DisableCount));
        Assert.Equal((1u, 0u), (read.RepublishRequestCount, read.RepublishMessageCount));
    }

    [Fact]
    public void Read_AfterMessages_CountsNotificationsLateCyclesAndOverflows()
    {
        var subscription = _client.Subscribe(keepAlive: 10, lifetime: 100);
        _client.Monitor(subscription, 1, queueSize: 2);
        _client.Monitor(subscription, 2, mode: MonitoringMode.Disabled);
        for (var i = 1; i <= 4; i++)
            _plant.Set(1, i);
        _plant.Advance(300);
        _client.Publish();
        _plant.Advance(200);
        var read = Read(subscription);
        Assert.Equal((1u, 1u), (read.PublishRequestCount, read.LatePublishRequestCount));
        Assert.Equal((2u, 2u), (read.DataChangeNotificationsCount, read.NotificationsCount));
        Assert.Equal((2u, 1u), (read.MonitoredItemCount, read.DisabledMonitoredItemCount));
        Assert.Equal(3u, read.MonitoringQueueOverflowCount);
        Assert.Equal((1u, 0u, 2u), (
            read.UnacknowledgedMessageCount, read.DiscardedMessageCount, read.NextSequenceNumber));
        Assert.Equal((2u, 2u), (read.CurrentKeepAliveCount, read.CurrentLifetimeCount));
    }

    [Fact]
    public void Read_Transferred_CountsAndNamesTheNewSession()
    {
        var subscription = _client.Subscribe();
        var same = _plant.OpenClient(Alice with { SessionId = new NodeId(78, 1) });
        var other = _plant.OpenClient(Alice with { ApplicationUri = "urn:b", SessionId = new NodeId(79, 1) });
        same.Transfer(subscription);
        other.Transfer(subscription);
        other.Transfer(subscription);
        var read = Read(subscription);
        Assert.Equal(new NodeId(79, 1), read.SessionId);
        Assert.Equal((3u, 1u, 1u), (
            read.TransferRequestCount, read.TransferredToSameClientCount, read.TransferredToAltClientCount));
    }

    [Fact]
    public void Read_Detached_IsThereWithoutASession()
    {
        var subscription = _client.Subscribe();
        _client.Session.Close(deleteSubscriptions: false);
        var all = new List<SubscriptionDiagnosticsDataType>();
        _plant.Engine.ReadSubscriptionDiagnostics(all);
        Assert.Equal((subscription, default), (Assert.Single(all).SubscriptionId, all[0].SessionId));
    }

    [Fact]
    public void Read_Deleted_IsGone()
    {
        var subscription = _client.Subscribe();
        _client.Delete(subscription);
        Assert.Null(_plant.Engine.ReadSubscriptionDiagnostics(subscription));
        Assert.Equal((0, 1), (_plant.Engine.Counters.Subscriptions, _plant.Engine.Counters.CreatedSubscriptions));
    }

    private SubscriptionDiagnosticsDataType Read(uint subscription)
    {
        var mine = new List<SubscriptionDiagnosticsDataType>();
        ((PublishSession)_plant.Engine.Subscriptions.Find(subscription)!.Consumer).ReadSubscriptionDiagnostics(mine);
        Assert.Contains(mine, read => read.SubscriptionId == subscription);
        return _plant.Engine.ReadSubscriptionDiagnostics(subscription)!;
    }
}
