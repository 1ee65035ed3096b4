using Gateway.Admission.Stages;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Durable;

/// <summary>Which subscription may become durable, for how long, and what it may have then (Part 5 §9.3, Part 4
/// §6.8).</summary>
public sealed class SetDurableTests : IAsyncLifetime, IAsyncDisposable
{
    private static readonly PublishLimits Limits = PublishLimits.Default with
    {
        MaxDurableSubscriptions = 2,
        MaxDurableMonitoredItems = 3,
        MaxDurableQueueSize = 5_000,
        MaxDurableLifetimeHours = 48,
    };

    private readonly DurablePlant _durable = new(limits: Limits);

    private PublishEngine Engine => _durable.Plant.Engine;

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _durable.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Theory]
    [InlineData(0, 48)]
    [InlineData(1, 1)]
    [InlineData(24, 24)]
    [InlineData(1_000_000, 48)]
    [InlineData(uint.MaxValue, 48)]
    public void Set_Hours_RevisedAndInEffect(uint requested, uint revised)
    {
        var client = Open();
        var subscription = client.Subscribe(intervalMs: 100);
        Assert.Equal(StatusCode.Good, client.Session.SetSubscriptionDurable(subscription, requested, out var hours));
        Assert.Equal(revised, hours);
        Assert.Equal(revised * 36_000, Engine.ReadSubscriptionDiagnostics(subscription)!.MaxLifetimeCount);
        Assert.Equal(1, _durable.Book.Count);
    }

    [Fact]
    public void Set_SubscriptionOfAnother_Refused()
    {
        var (mine, other) = (Open(), Open());
        var subscription = mine.Subscribe();
        Assert.Equal(StatusCodes.BadUserAccessDenied, Set(other, subscription));
        Assert.Equal(StatusCodes.BadSubscriptionIdInvalid, Set(other, subscription + 1000));
        Assert.Equal(0, _durable.Book.Count);
    }

    [Fact]
    public void Set_WithItems_InvalidState()
    {
        var client = Open();
        var subscription = client.Subscribe();
        var item = client.Monitor(subscription, 1);
        Assert.Equal(StatusCodes.BadInvalidState, Set(client, subscription));
        client.DeleteItem(subscription, item);
        Assert.Equal(StatusCodes.Good, Set(client, subscription));
        client.Monitor(subscription, 1);
        Assert.Equal(StatusCodes.BadInvalidState, Set(client, subscription));
    }

    [Fact]
    public void Set_Again_AnotherLifetimeAndNoSecondPlace()
    {
        var client = Open();
        var subscription = _durable.Subscribe(client, hours: 1);
        Assert.Equal(StatusCode.Good, client.Session.SetSubscriptionDurable(subscription, 7, out var hours));
        Assert.Equal((7u, 1), (hours, _durable.Book.Count));
    }

    [Fact]
    public async Task Set_WithoutAPlaceOnDisk_Refused()
    {
        await using var closed = new DurablePlant(isOpen: false);
        var client = closed.Plant.OpenClient(DurablePlant.Alice);
        Assert.Equal(StatusCodes.BadResourceUnavailable, Set(client, client.Subscribe()));
    }

    [Fact]
    public void Set_AtTheCap_RefusedCountedAndTold()
    {
        var client = Open();
        _durable.Subscribe(client);
        var second = _durable.Subscribe(client);
        var third = client.Subscribe();
        Assert.Equal(StatusCodes.BadTooManySubscriptions, Set(client, third));
        Assert.Equal(1, _durable.Book.Refused);
        Assert.Equal("MaxDurableSubscriptions", ReasonTable.LimitOf(RefusalReason.MaxDurableSubscriptions));
        client.Delete(second);
        Assert.Equal(StatusCodes.Good, Set(client, third));
    }

    /// <summary>R46.</summary>
    [Fact]
    public async Task Set_LastSixth_IsKeptForOthers()
    {
        await using var durable = new DurablePlant(limits: Limits with { MaxDurableSubscriptions = 6 });
        var greedy = durable.Plant.OpenClient(DurablePlant.Alice);
        for (var i = 0; i < 5; i++)
            durable.Subscribe(greedy);
        Assert.Equal(StatusCodes.BadTooManySubscriptions, Set(greedy, greedy.Subscribe()));
        var modest = durable.Plant.OpenClient(DurablePlant.Alice with { Certificate = "B2" });
        durable.Subscribe(modest);
        Assert.Equal(6, durable.Book.Count);
    }

    /// <summary>R46.</summary>
    [Fact]
    public async Task Items_LastSixth_IsKeptForOthers()
    {
        await using var durable = new DurablePlant(limits: Limits with { MaxDurableMonitoredItems = 6 });
        var greedy = durable.Plant.OpenClient(DurablePlant.Alice);
        var subscription = durable.Subscribe(greedy);
        for (var tag = 1u; tag <= 5; tag++)
            greedy.Monitor(subscription, tag);
        Assert.Equal(
            StatusCodes.BadTooManyMonitoredItems, greedy.TryMonitor(subscription, TestClient.Item(6)).StatusCode.Code);
        var modest = durable.Plant.OpenClient(DurablePlant.Alice with { Certificate = "B2" });
        modest.Monitor(durable.Subscribe(modest), 1);
        Assert.Equal((6, 1, 2), (durable.Book.Items, durable.Book.Refused, durable.Book.Holders));
        greedy.Delete(subscription);
        Assert.Equal((1, 1), (durable.Book.Items, durable.Book.Holders));
    }

    /// <summary>R46.</summary>
    [Fact]
    public async Task Bytes_LastSixth_IsKeptForOthers()
    {
        const int Entry = 37;
        await using var durable = new DurablePlant(limits: Limits with { MaxDurableBytes = 60 * Entry });
        var greedy = durable.Plant.OpenClient(DurablePlant.Alice);
        greedy.Monitor(durable.Subscribe(greedy), 1, queueSize: 1_000);
        var modest = durable.Plant.OpenClient(DurablePlant.Alice with { Certificate = "B2" });
        modest.Monitor(durable.Subscribe(modest), 2, queueSize: 1_000);
        for (var i = 1; i <= 100; i++)
            durable.Plant.Set(1, i);
        durable.Plant.Advance(1);
        Assert.Equal(50 * Entry, durable.Book.Bytes);
        for (var i = 1; i <= 9; i++)
            durable.Plant.Set(2, i);
        durable.Plant.Advance(1);
        Assert.Equal(59 * Entry, durable.Book.Bytes);
        Assert.Equal(10, durable.Drain(modest).Count);
        Assert.Equal(49 * Entry, durable.Book.Bytes);
    }

    /// <summary>What moves with a subscription counts for the certificate that has it now.</summary>
    [Fact]
    public void Transfer_ToAnotherCertificate_CountsThere()
    {
        var first = Open();
        var subscription = _durable.Subscribe(first);
        first.Monitor(subscription, 1, queueSize: 10);
        _durable.Plant.Set(1, 1);
        _durable.Plant.Advance(1);
        var second = _durable.Plant.OpenClient(DurablePlant.Alice with { Certificate = "B2" });
        Assert.Equal(StatusCode.Good, second.Transfer(subscription).StatusCode);
        var holder = _durable.Find(subscription).Durable!.Holder;
        Assert.Equal(
            ("B2", 1, 1, _durable.Book.Bytes, 1),
            (holder.Key, holder.Subscriptions, holder.Items, holder.Bytes, _durable.Book.Holders));
        second.Delete(subscription);
        Assert.Equal((0, 0, 0L), (_durable.Book.Holders, holder.Items, holder.Bytes));
    }

    [Fact]
    public void Items_QueueMayBeLonger_AndAreCapped()
    {
        var client = Open();
        var (durable, usual) = (_durable.Subscribe(client), client.Subscribe());
        Assert.Equal(5_000u, client.TryMonitor(durable, TestClient.Item(1, queueSize: 1_000_000)).RevisedQueueSize);
        Assert.Equal(1_000u, client.TryMonitor(usual, TestClient.Item(1, queueSize: 1_000_000)).RevisedQueueSize);
        client.Monitor(durable, 2);
        var third = client.Monitor(durable, 3);
        Assert.Equal(
            StatusCodes.BadTooManyMonitoredItems, client.TryMonitor(durable, TestClient.Item(4)).StatusCode.Code);
        Assert.Equal((3, 1), (_durable.Book.Items, _durable.Book.Refused));
        Assert.Equal(4, client.Session.MonitoredItemCount);
        client.DeleteItem(durable, third);
        client.Monitor(durable, 4);
        client.Delete(durable);
        Assert.Equal((0, 0), (_durable.Book.Items, _durable.Book.Count));
    }

    [Fact]
    public void Modify_Lifetime_AsLongAsADurableOneMayLive()
    {
        var client = Open();
        var (durable, usual) = (_durable.Subscribe(client), client.Subscribe());
        Assert.Equal(48u * 36_000, Modify(durable));
        Assert.Equal(36_000u, Modify(usual));
        Assert.Equal(1, _durable.Book.Count);

        uint Modify(uint subscription) => client.Session.ModifySubscription(new ModifySubscriptionRequest
        {
            SubscriptionId = subscription,
            RequestedPublishingInterval = 100,
            RequestedLifetimeCount = uint.MaxValue,
            RequestedMaxKeepAliveCount = 10,
        }).RevisedLifetimeCount;
    }

    [Theory]
    [InlineData(true, true, 0)]
    [InlineData(true, false, 1)]
    [InlineData(false, false, 1)]
    public void Session_Ends_DurableStaysUnlessItsClientDeletes(bool delete, bool deleteDurable, int left)
    {
        var client = Open();
        _durable.Subscribe(client);
        client.Subscribe();
        client.Session.Close(delete, deleteDurable);
        Assert.Equal(left, _durable.Book.Count);
        Assert.Equal(delete ? left : 2, Engine.Subscriptions.Count);
        // It makes room for nobody.
        Assert.Equal(delete ? 0 : 1, Engine.Quotas.Detached.Count);
    }

    /// <summary>The other way to come back.</summary>
    [Fact]
    public void Session_ActivatedAgainOnAnotherChannel_GetsAllValuesInOrder()
    {
        var client = Open();
        var subscription = _durable.Subscribe(client);
        client.Monitor(subscription, 1, queueSize: 4_000);
        client.IsOpen = false;
        client.Session.LoseOutput();
        for (var i = 1; i <= 3_000; i++)
            _durable.Plant.Set(1, i);
        _durable.Plant.Advance(1_000);
        _durable.Saver.Save();
        var back = new TestClient { Session = client.Session };
        client.Session.Rebind(back, back, DurablePlant.Alice);
        Assert.Equal(
            Enumerable.Range(0, 3_001).Select(static i => (double)i),
            _durable.Drain(back).Select(static one => one.Value));
        Assert.Equal(0, _durable.Book.Bytes);
    }

    [Fact]
    public void Lifetime_Over_FileAndPlaceGo()
    {
        var client = Open();
        var subscription = _durable.Subscribe(client, hours: 1);
        client.Monitor(subscription, 1);
        _durable.Saver.Save();
        Assert.NotEmpty(Files());
        client.Session.Close(deleteSubscriptions: false);
        _durable.Find(subscription).SetLifetime(2);
        _durable.Plant.Advance(400);
        _durable.Saver.Save();
        Assert.Equal((0, 0, 0L), (_durable.Book.Count, _durable.Book.Items, _durable.Book.Bytes));
        Assert.Empty(Files());
    }

    private static uint Set(TestClient client, uint subscription) =>
        client.Session.SetSubscriptionDurable(subscription, 1, out _).Code;

    private IEnumerable<string> Files() => _durable.Disk.Content.Keys.Where(static name => name.EndsWith(".sub"));

    private TestClient Open() => _durable.Plant.OpenClient(DurablePlant.Alice);
}
