using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Sessions;

public sealed class PublishTests : IAsyncLifetime, IAsyncDisposable
{
    private readonly PublishFixture _plant = new();
    private readonly TestClient _client;

    public PublishTests() => _client = _plant.OpenClient();

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Fact]
    public void Publish_NoSubscription_IsRefused() =>
        Assert.Equal(StatusCodes.BadNoSubscription, _client.TryPublish(0).Code);

    [Fact]
    public void Publish_TooManyAcknowledgements_IsRefused()
    {
        _client.Subscribe();
        var acknowledgements = new (uint, uint)[10_001];
        Assert.Equal(StatusCodes.BadTooManyOperations, _client.TryPublish(0, acknowledgements).Code);
    }

    [Fact]
    public void Publish_BeyondTheCap_OldestIsAnswered()
    {
        _client.Subscribe(intervalMs: 10_000);
        for (var i = 0; i < PublishLimits.Default.MaxPublishRequestsPerSession; i++)
            _client.Publish();
        Assert.Equal(0, _client.Pending);
        _client.Publish();
        var answer = _client.Next();
        Assert.Equal(1u, answer.RequestId);
        Assert.Equal(StatusCodes.BadTooManyPublishRequests, answer.Fault.Code);
        Assert.Equal(1, _plant.Engine.Counters.TooManyPublishRequests);
        Assert.Equal(PublishLimits.Default.MaxPublishRequestsPerSession, _client.Session.HeldPublishRequests);
    }

    [Fact]
    public void Publish_TimeoutHintPasses_AnsweredBadTimeout()
    {
        _client.Subscribe(intervalMs: 60_000);
        Assert.Equal(StatusCode.Good, _client.TryPublish(5000));
        Assert.Equal(StatusCode.Good, _client.TryPublish(2000));
        Assert.Equal(StatusCode.Good, _client.TryPublish(0));
        _plant.Advance(1799);
        Assert.Equal(0, _client.Pending);
        // A tenth of the client's patience is for the ways, and the wheel has its steps.
        _plant.Advance(200);
        Assert.Equal((2u, StatusCodes.BadTimeout), (_client.Next().RequestId, StatusCodes.BadTimeout));
        _plant.Advance(3000);
        var answer = _client.Next();
        Assert.Equal(1u, answer.RequestId);
        Assert.Equal(StatusCodes.BadTimeout, answer.Fault.Code);
        Assert.Equal(1, _client.Session.HeldPublishRequests);
        Assert.Equal(2, _plant.Engine.Counters.ExpiredPublishRequests);
    }

    [Theory]
    [InlineData(0u)]
    [InlineData(uint.MaxValue)]
    [InlineData(uint.MaxValue - 1)]
    public void Publish_NoOrHugeTimeoutHint_IsServed(uint hint)
    {
        var subscription = _client.Subscribe();
        _client.Monitor(subscription, 1);
        Assert.Equal(StatusCode.Good, _client.TryPublish(hint));
        _plant.Advance(100);
        Assert.Single(_client.Next().Changes);
    }

    [Fact]
    public void Publish_DeadlinePassedAtTheSweep_NextRequestIsUsed()
    {
        var subscription = _client.Subscribe();
        _client.Monitor(subscription, 1);
        _client.TryPublish(50);
        _client.TryPublish(0);
        _plant.Time.Advance(100);
        _plant.Advance(0);
        Assert.Equal(StatusCodes.BadTimeout, _client.Next().Fault.Code);
        Assert.Single(_client.Next().Changes);
    }

    /// <summary>The session lost all its subscriptions, and its request was never answered (R37, R40).</summary>
    [Fact]
    public void Sweep_NoMemoryForAMessage_ItsRequestIsToldAndTheSubscriptionGoesOn()
    {
        var subscription = _client.Subscribe();
        _client.Monitor(subscription, 1);
        _client.Publish();
        _client.Publish();
        _client.SendFault = new InsufficientMemoryException();
        _plant.Advance(100);

        var told = _client.Next();
        Assert.Equal((1u, StatusCodes.BadOutOfMemory), (told.RequestId, told.Fault.Code));
        Assert.Equal(0, _client.Pending);
        Assert.Single(_client.Republish(subscription, 1).NotificationMessage.NotificationData!);

        _plant.Set(1, 7);
        _plant.Advance(100);
        var next = _client.Next();
        Assert.Equal(2u, next.RequestId);
        Assert.Equal(2u, next.Response!.NotificationMessage.SequenceNumber);
        Assert.Equal(7, Assert.Single(next.Changes).Value.Value.AsDouble());
    }

    [Fact]
    public void Publish_NoMemoryForOneOfTwoThatAreLate_TheOtherIsSentWithTheNextRequest()
    {
        _client.Monitor(_client.Subscribe(), 1);
        _client.Monitor(_client.Subscribe(), 2);
        _plant.Advance(100);
        _client.SendFault = new InsufficientMemoryException();
        _client.Publish();
        Assert.Equal(StatusCodes.BadOutOfMemory, _client.Next().Fault.Code);
        _client.Publish();
        Assert.Single(_client.Next().Changes);
    }

    [Fact]
    public void Acknowledgements_EachGetsItsResult()
    {
        var subscription = _client.Subscribe();
        _client.Monitor(subscription, 1);
        _client.Publish();
        _plant.Advance(100);
        Assert.Equal([1u], _client.Next().Response!.AvailableSequenceNumbers!);
        _client.Publish((subscription, 1), (subscription, 1), (subscription + 1, 1), (subscription, 9));
        _plant.Set(1, 1);
        _plant.Advance(100);
        var answer = _client.Next();
        Assert.Equal(
            [0, StatusCodes.BadSequenceNumberUnknown, StatusCodes.BadSubscriptionIdInvalid,
                StatusCodes.BadSequenceNumberUnknown],
            answer.Response!.Results!.Select(result => result.Code));
        Assert.Equal([2u], answer.Response.AvailableSequenceNumbers!);
    }

    [Fact]
    public void Republish_Unacknowledged_IsTheSameMessage()
    {
        var subscription = _client.Subscribe();
        _client.Monitor(subscription, 1);
        _client.Publish();
        _plant.Set(1, 42);
        _plant.Advance(100);
        var sent = _client.Next();
        var again = _client.Republish(subscription, 1);
        Assert.Equal(StatusCode.Good, again.ResponseHeader.ServiceResult);
        Assert.Equal(sent.Response!.NotificationMessage.PublishTime, again.NotificationMessage.PublishTime);
        var change = (DataChangeNotification)again.NotificationMessage.NotificationData![0].Body!;
        Assert.Equal(sent.Changes, change.MonitoredItems!);
        _client.Publish((subscription, 1));
        Assert.Equal(StatusCodes.BadMessageNotAvailable, RepublishStatus(subscription, 1));
    }

    [Fact]
    public void Republish_KeepAlivesAndOthers_AreNotAvailable()
    {
        var subscription = _client.Subscribe();
        _client.Publish();
        _plant.Advance(100);
        Assert.True(_client.Next().IsKeepAlive);
        Assert.Equal(StatusCodes.BadMessageNotAvailable, RepublishStatus(subscription, 1));
        Assert.Equal(StatusCodes.BadSubscriptionIdInvalid, RepublishStatus(99, 1));
    }

    [Fact]
    public void Retransmission_NeverAcknowledged_KeepsTwiceTheRequestsAndCounts()
    {
        var subscription = _client.Subscribe();
        _client.Monitor(subscription, 1);
        var kept = 2 * PublishLimits.Default.MaxPublishRequestsPerSession;
        for (var i = 0; i < kept + 10; i++)
        {
            _client.Publish();
            _plant.Set(1, i);
            _plant.Advance(100);
        }

        var available = _client.All()[^1].Response!.AvailableSequenceNumbers!;
        Assert.Equal(kept, available.Length);
        Assert.Equal(11u, available[0]);
        Assert.Equal(10, _plant.Engine.Counters.DroppedRetransmissions);
        Assert.Equal(StatusCodes.BadMessageNotAvailable, RepublishStatus(subscription, 10));
        _client.Delete(subscription);
        Assert.Equal(0, _plant.Engine.Counters.RetransmissionBytes);
    }

    [Fact]
    public void Cancel_Handle_AnswersOnlyThose()
    {
        _client.Subscribe(intervalMs: 1000);
        _client.Publish();
        var second = _client.Publish();
        _client.Publish();
        Assert.Equal(1, _client.Session.Cancel(second));
        var answer = _client.Next();
        Assert.Equal(second, answer.RequestId);
        Assert.Equal(StatusCodes.BadRequestCancelledByClient, answer.Fault.Code);
        Assert.Equal(2, _client.Session.HeldPublishRequests);
        Assert.Equal(0, _client.Session.Cancel(99));
    }

    [Fact]
    public void Close_DeletingSubscriptions_LeavesNothing()
    {
        var subscription = _client.Subscribe();
        _client.Monitor(subscription, 1);
        _client.Publish();
        _client.Session.Close(deleteSubscriptions: true);
        Assert.Equal(StatusCodes.BadSessionClosed, _client.Next().Fault.Code);
        Assert.Equal(StatusCodes.BadSessionClosed, _client.TryPublish(0).Code);
        Assert.Equal((0, 0), (_plant.Engine.Counters.Subscriptions, _plant.Engine.Counters.MonitoredItems));
        Assert.Equal(0, _plant.Engine.Counters.QueueCapacity);
        Assert.False(_plant.Store.IsWatched(_plant.Handle(1)));
    }

    [Fact]
    public void Close_KeepingSubscriptions_TheyCountUntilTheirLifetimeEnds()
    {
        var subscription = _client.Subscribe(intervalMs: 1000, lifetime: 10);
        _client.Monitor(subscription, 1);
        _client.Session.Close(deleteSubscriptions: false);
        _plant.Advance(9000);
        Assert.Equal(1, _plant.Engine.Counters.Subscriptions);
        _plant.Advance(1000);
        Assert.Equal(0, _plant.Engine.Counters.Subscriptions);
        Assert.False(_plant.Store.IsWatched(_plant.Handle(1)));
        Assert.Equal(0, _client.Pending);
    }

    [Fact]
    public void Rebind_OtherChannel_OldRequestsAreDroppedAndNewOnesServed()
    {
        var subscription = _client.Subscribe();
        _client.Monitor(subscription, 1);
        _client.Publish();
        var successor = new TestClient { Session = _client.Session };
        _client.Session.Rebind(successor, successor, SessionOwner.Unknown);
        _plant.Advance(100);
        Assert.Equal((0, 0), (_client.Pending, successor.Pending));
        successor.Publish();
        Assert.Single(successor.Next().Changes);
    }

    [Fact]
    public void Priorities_OneRequestAtATime_HighestFirstThenInTurn()
    {
        var low = _client.Subscribe(maxNotifications: 1);
        var first = _client.Subscribe(priority: 5, maxNotifications: 1);
        var second = _client.Subscribe(priority: 5, maxNotifications: 1);
        foreach (var subscription in new[] { low, first, second })
        {
            _client.Monitor(subscription, 1);
            _client.Monitor(subscription, 2);
        }

        _plant.Advance(100);
        for (var i = 0; i < 6; i++)
            _client.Publish();
        Assert.Equal([first, second, first, second, low, low], _client.All().Select(answer => answer.SubscriptionId));
    }

    [Fact]
    public void Sweep_ManySubscriptions_OneFlushABurst()
    {
        for (var i = 0; i < 5; i++)
        {
            _client.Monitor(_client.Subscribe(), 1);
            _client.Publish();
        }

        _plant.Advance(100);
        Assert.Equal(5, _client.Pending);
        Assert.Equal(1, _client.Flushes);
    }

    private uint RepublishStatus(uint subscription, uint sequenceNumber) =>
        _client.Republish(subscription, sequenceNumber).ResponseHeader.ServiceResult.Code;
}
