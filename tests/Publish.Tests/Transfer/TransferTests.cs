using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Transfer;

/// <summary>TransferSubscriptions on one shard (sessions 1 and 3 of two) and across two (sessions 1 and 2).
/// Source: Part 4 §5.14.7.</summary>
public sealed class TransferTests : IAsyncLifetime, IAsyncDisposable
{
    private static readonly SessionOwner Alice = new("UserName:alice", false, "urn:client", true);

    private readonly PublishFixture _plant = new(shards: 2);
    private readonly TestClient _old;
    private readonly TestClient _other;
    private readonly TestClient _near;

    public TransferTests() =>
        (_old, _other, _near) = (_plant.OpenClient(Alice), _plant.OpenClient(Alice), _plant.OpenClient(Alice));

    public static TheoryData<bool> Shards => [true, false];

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Theory]
    [MemberData(nameof(Shards))]
    public void Transfer_SameUser_ValuesGoOnWithoutAGap(bool across)
    {
        var heir = Heir(across);
        var subscription = _old.Subscribe();
        _old.Monitor(subscription, 1, queueSize: 10);
        _plant.Set(1, 1);
        _old.Publish();
        _plant.Advance(100);
        Assert.Equal(1u, _old.Next().SequenceNumber);
        _plant.Set(1, 2);
        _plant.Advance(50);
        _plant.Set(1, 3);

        var result = heir.Transfer(subscription);
        Assert.Equal(StatusCode.Good, result.StatusCode);
        Assert.Equal([1u], result.AvailableSequenceNumbers!);
        _plant.Set(1, 4);
        heir.Publish();
        _plant.Advance(50);
        var answer = heir.Next();
        Assert.Equal(2u, answer.SequenceNumber);
        Assert.Equal([2.0, 3.0, 4.0], answer.Changes.Select(change => change.Value.Value.AsDouble()));
        Assert.All(answer.Changes, change => Assert.Equal(StatusCode.Good, change.Value.Status));
        Assert.Equal((0, 1), (_old.Session.SubscriptionCount, heir.Session.SubscriptionCount));
        Assert.Equal(1, _plant.Engine.Counters.TransferredSubscriptions);
    }

    [Theory]
    [MemberData(nameof(Shards))]
    public void Transfer_UnacknowledgedMessages_AreRepublishedToTheNewSession(bool across)
    {
        var heir = Heir(across);
        var subscription = _old.Subscribe();
        _old.Monitor(subscription, 1);
        _plant.Set(1, 7);
        _old.Publish();
        _plant.Advance(100);
        heir.Transfer(subscription);
        var again = heir.Republish(subscription, 1);
        Assert.Equal(StatusCode.Good, again.ResponseHeader.ServiceResult);
        Assert.Equal(1u, again.NotificationMessage.SequenceNumber);
        Assert.Equal(
            StatusCodes.BadSubscriptionIdInvalid, _old.Republish(subscription, 1).ResponseHeader.ServiceResult.Code);
        heir.Publish((subscription, 1));
        _plant.Set(1, 8);
        _plant.Advance(100);
        var answer = heir.Next();
        Assert.Equal([2u], answer.Response!.AvailableSequenceNumbers!);
        Assert.Equal(StatusCode.Good, answer.Response.Results![0]);
    }

    [Fact]
    public void Transfer_OldSessionLives_IsToldAndItsRequestsGoBack()
    {
        var subscription = _old.Subscribe();
        _old.Publish();
        _old.Publish();
        _other.Transfer(subscription);
        var told = _old.Next();
        Assert.Equal(subscription, told.SubscriptionId);
        Assert.Equal(StatusCodes.GoodSubscriptionTransferred, told.StatusChange!.Value.Code);
        Assert.Equal(StatusCodes.BadNoSubscription, _old.Next().Fault.Code);
        Assert.True(_old.Flushes > 0);
    }

    [Fact]
    public void Transfer_OldSessionHoldsNoRequest_IsToldByItsNextOne()
    {
        var subscription = _old.Subscribe();
        _other.Transfer(subscription);
        Assert.Equal(0, _old.Pending);
        _old.Publish();
        Assert.Equal(StatusCodes.GoodSubscriptionTransferred, _old.Next().StatusChange!.Value.Code);
        Assert.Equal(StatusCodes.BadNoSubscription, _old.TryPublish(0).Code);
    }

    [Theory]
    [MemberData(nameof(Shards))]
    public void Transfer_SendInitialValues_ReportingItemsSendTheirValueOnce(bool across)
    {
        var heir = Heir(across);
        var subscription = _old.Subscribe();
        for (var node = 1u; node <= 3; node++)
            _plant.Set(node, node);
        _old.Monitor(subscription, 1);
        _old.Monitor(subscription, 2, mode: MonitoringMode.Sampling);
        _old.Monitor(subscription, 3, mode: MonitoringMode.Disabled);
        _old.Publish();
        _plant.Advance(100);
        Assert.Single(_old.Next().Changes);

        heir.Transfer(subscription, sendInitialValues: true);
        heir.Publish();
        heir.Publish();
        _plant.Advance(100);
        var change = Assert.Single(heir.Next().Changes);
        Assert.Equal((1u, 1.0), (change.ClientHandle, change.Value.Value.AsDouble()));
        _plant.Advance(100);
        Assert.Equal(0, heir.Pending);
    }

    [Fact]
    public void Transfer_WithoutInitialValues_NothingIsRepeated()
    {
        var subscription = _old.Subscribe(keepAlive: 10);
        _plant.Set(1, 1);
        _old.Monitor(subscription, 1);
        _old.Publish();
        _plant.Advance(100);
        _other.Transfer(subscription);
        _other.Publish();
        _plant.Advance(300);
        Assert.Equal(0, _other.Pending);
    }

    [Fact]
    public void Transfer_LateSubscription_RequestsThatAreHeldServeItBehindTheResponse()
    {
        var own = _other.Subscribe(intervalMs: 10_000);
        var subscription = _old.Subscribe(intervalMs: 5_000);
        _old.Monitor(subscription, 1);
        _plant.Advance(5_000);
        _other.Publish();
        _other.Transfer(subscription);
        Assert.Equal(0, _other.Pending);
        _other.Session.Serve();
        Assert.Single(_other.Next().Changes);
        Assert.Equal(StatusCode.Good, _other.Delete(own));
    }

    [Fact]
    public void Transfer_LateSubscriptionNoRequestHeld_NextPublishIsAnsweredAtOnce()
    {
        var subscription = _old.Subscribe(intervalMs: 5_000);
        _old.Monitor(subscription, 1);
        _plant.Advance(5_000);
        _near.Transfer(subscription);
        _near.Publish();
        Assert.Single(_near.Next().Changes);
    }

    [Theory]
    [MemberData(nameof(Shards))]
    public void Transfer_OldSessionClosed_TheHeirGetsWhatWaited(bool across)
    {
        var heir = Heir(across);
        var subscription = _old.Subscribe(intervalMs: 1000, lifetime: 30);
        _old.Monitor(subscription, 1, queueSize: 5);
        _plant.Set(1, 1);
        _old.Session.Close(deleteSubscriptions: false);
        _plant.Advance(20_000);
        _plant.Set(1, 2);
        Assert.Equal(StatusCode.Good, heir.Transfer(subscription).StatusCode);
        _plant.Advance(1000);
        heir.Publish();
        Assert.Equal(3, heir.Next().Changes.Length);
        _plant.Advance(28_000);
        Assert.Equal(1, heir.Session.SubscriptionCount);
        heir.Session.Close(deleteSubscriptions: true);
        AssertNothingLeft();
    }

    [Fact]
    public void Transfer_UnknownId_IsInvalid()
    {
        Assert.Equal(StatusCodes.BadSubscriptionIdInvalid, _other.Transfer(99).StatusCode.Code);
        Assert.Equal(1, _plant.Engine.Counters.RefusedTransfers);
    }

    [Fact]
    public void Transfer_NoIds_IsNothingToDo() => Assert.Equal(
        StatusCodes.BadNothingToDo,
        _other.Session.TransferSubscriptions(new TransferSubscriptionsRequest()).ResponseHeader.ServiceResult.Code);

    [Fact]
    public void Transfer_ToItself_IsNothingToDo()
    {
        var subscription = _old.Subscribe();
        _plant.Set(1, 1);
        _old.Monitor(subscription, 1);
        _old.Publish();
        _plant.Advance(100);
        _old.Next();
        Assert.Equal(
            StatusCodes.BadNothingToDo, _old.Transfer(subscription, sendInitialValues: true).StatusCode.Code);
        _old.Publish();
        _plant.Advance(100);
        Assert.Equal(0, _old.Pending);
        Assert.Equal(1, _old.Session.HeldPublishRequests);
        Assert.Equal(0, _plant.Engine.Counters.TransferredSubscriptions);
    }

    [Fact]
    public async Task Transfer_NewSessionIsFull_IsTooMany()
    {
        await using var plant = new PublishFixture(limits: new PublishLimits { MaxSubscriptionsPerSession = 1 });
        var (from, to) = (plant.OpenClient(Alice), plant.OpenClient(Alice));
        var subscription = from.Subscribe();
        to.Subscribe();
        Assert.Equal(StatusCodes.BadTooManySubscriptions, to.Transfer(subscription).StatusCode.Code);
        Assert.Equal((1, 1), (from.Session.SubscriptionCount, to.Session.SubscriptionCount));
    }

    [Fact]
    public async Task Transfer_NewSessionHasNoRoomForItems_IsTooMany()
    {
        await using var plant = new PublishFixture(limits: new PublishLimits { MaxMonitoredItemsPerSession = 2 });
        var (from, to) = (plant.OpenClient(Alice), plant.OpenClient(Alice));
        var subscription = from.Subscribe();
        from.Monitor(subscription, 1);
        from.Monitor(subscription, 2);
        to.Monitor(to.Subscribe(), 1);
        Assert.Equal(StatusCodes.BadTooManySubscriptions, to.Transfer(subscription).StatusCode.Code);
        Assert.Equal((2, 1), (from.Session.MonitoredItemCount, to.Session.MonitoredItemCount));
    }

    [Fact]
    public void Transfer_ClosedSession_TakesNothing()
    {
        var subscription = _old.Subscribe();
        _other.Session.Close(deleteSubscriptions: true);
        Assert.Equal(StatusCodes.BadSessionClosed, _other.Transfer(subscription).StatusCode.Code);
        Assert.Equal(1, _old.Session.SubscriptionCount);
    }

    [Fact]
    public void Transfer_SeveralIds_EachHasItsResult()
    {
        var (first, second) = (_old.Subscribe(), _old.Subscribe());
        var results = _other.Session.TransferSubscriptions(new TransferSubscriptionsRequest
        {
            SubscriptionIds = [first, 77, second, first],
        }).Results!;
        Assert.Equal(
            [StatusCodes.Good, StatusCodes.BadSubscriptionIdInvalid, StatusCodes.Good, StatusCodes.BadNothingToDo],
            results.Select(result => result.StatusCode.Code));
        Assert.Equal(2, _other.Session.SubscriptionCount);
    }

    [Fact]
    public void Transfer_BetweenGroupingAndSweep_OldShardForgetsIt()
    {
        var subscription = _old.Subscribe();
        _old.Monitor(subscription, 1);
        _plant.Set(1, 1);
        for (var i = 0; i < 20; i++)
        {
            (i % 2 == 0 ? _other : _old).Transfer(subscription);
            _plant.Advance(37);
        }

        Assert.Single(_old.Session.Subscriptions);
        _old.All();
        _old.Session.Close(deleteSubscriptions: true);
        AssertNothingLeft();
    }

    private TestClient Heir(bool across) => across ? _other : _near;

    private void AssertNothingLeft()
    {
        var (engine, counters) = (_plant.Engine, _plant.Engine.Counters);
        Assert.Equal((0, 0, 0L, 0L), (
            counters.Subscriptions, counters.MonitoredItems, counters.QueueCapacity, counters.RetransmissionBytes));
        Assert.Equal(0, engine.Subscriptions.Count);
        Assert.All(engine.Shards, shard => Assert.Equal(0, shard.Changes.Book.Nodes));
        Assert.False(_plant.Store.IsWatched(_plant.Handle(1)));
    }
}
