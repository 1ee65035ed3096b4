using Gateway.Client.Subscriptions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Testing;

namespace Gateway.Client.Tests.Subscriptions;

/// <summary>A subscription that outlives its connection: nothing is lost that the server still has, and a server that
/// lies costs little.</summary>
public sealed class ResumedSubscriptionTests : IDisposable
{
    private const int MostRepublished = 64;

    private readonly FakeServer _first = new();
    private readonly RecordingHandler _handler = new();
    private FakeServer _second = null!;

    public void Dispose()
    {
        _first.Dispose();
        _second?.Dispose();
    }

    [Fact]
    public async Task Recover_MessagesSentMeanwhile_RepublishedInOrderThenPublished()
    {
        await SubscribeAsync();
        Notify(_first, 1, 1);
        Lose();

        var recovering = _second.Session.RecoverAsync();
        Republished(0, 2);
        Republished(1, 3);
        _second.Fault(2, StatusCodes.BadMessageNotAvailable);

        Assert.Equal(2, await recovering);
        Assert.Equal(["1: 7=1", "BadConnectionClosed", "2: 7=2", "3: 7=3"], _handler.Events);
        Assert.Equal(5, _second.Link.Sent.Count);
        Assert.Equal(
            [2u, 3u],
            _second.Request<PublishRequest>(3).SubscriptionAcknowledgements!.Select(one => one.SequenceNumber));
        Notify(_second, 3, 4);
        Assert.Equal("4: 7=4", _handler.Events[^1]);
    }

    /// <summary>Acknowledgements under way were lost with the connection.</summary>
    [Fact]
    public async Task Publish_FirstAfterTheLoss_WhatCameBeforeIsAcknowledgedAgainOnce()
    {
        await SubscribeAsync();
        Notify(_first, 1, 1);
        Notify(_first, 2, 2);
        Lose();
        await RecoverNothingAsync();

        Notify(_second, 1, 3, 1, 2, 3);
        Assert.Equal(
            [1u, 2u, 3u],
            _second.Request<PublishRequest>(-1).SubscriptionAcknowledgements!.Select(one => one.SequenceNumber));
        Notify(_second, 2, 4, 1, 2, 3, 4);
        var once = Assert.Single(_second.Request<PublishRequest>(-1).SubscriptionAcknowledgements!);
        Assert.Equal(4u, once.SequenceNumber);
    }

    [Fact]
    public async Task Recover_ServerSkipsANumber_ToldAsLost()
    {
        await SubscribeAsync();
        Lose();
        await RecoverNothingAsync();

        Notify(_second, 1, 2);
        _second.Fault(-1, StatusCodes.BadMessageNotAvailable);
        Assert.Equal(["BadConnectionClosed", "lost 1+1", "2: 7=2"], _handler.Events);
    }

    [Fact]
    public async Task Recover_MessagesHeldBehindAGap_TheGapIsAskedForAgain()
    {
        await SubscribeAsync();
        Notify(_first, 1, 3);
        Lose();

        var recovering = _second.Session.RecoverAsync();
        Republished(0, 1);
        Republished(1, 2);
        _second.Fault(2, StatusCodes.BadMessageNotAvailable);

        Assert.Equal(2, await recovering);
        Assert.Equal(["BadConnectionClosed", "1: 7=1", "2: 7=2", "3: 7=3"], _handler.Events);
        Assert.Equal(4u, _second.Request<RepublishRequest>(2).RetransmitSequenceNumber);
    }

    [Fact]
    public async Task Recover_RepublishWithAnotherNumber_NotTakenAndPublishGoesOn()
    {
        await SubscribeAsync();
        Lose();

        var recovering = _second.Session.RecoverAsync();
        _second.Answer(0, new RepublishResponse { NotificationMessage = Message(77).NotificationMessage });

        Assert.Equal(0, await recovering);
        Assert.Equal(["BadConnectionClosed"], _handler.Events);
        Assert.Equal(826u, _second.TypeOf(1));
    }

    [Fact]
    public async Task Recover_RepublishWithoutEnd_Bounded()
    {
        await SubscribeAsync();
        Lose();

        var recovering = _second.Session.RecoverAsync();
        for (var i = 0; i < MostRepublished; i++)
            Republished(i, (uint)i + 1);

        Assert.Equal(MostRepublished, await recovering);
        Assert.Equal(826u, _second.TypeOf(MostRepublished));
    }

    [Fact]
    public async Task Recover_SubscriptionForgotten_Fails()
    {
        await SubscribeAsync();
        Lose();

        var recovering = _second.Session.RecoverAsync();
        _second.Fault(0, StatusCodes.BadSubscriptionIdInvalid);

        var refused = await Assert.ThrowsAsync<ServiceException>(() => recovering.AsTask());
        Assert.Equal(StatusCodes.BadSubscriptionIdInvalid, refused.Status);
        Assert.Empty(_second.Session.Suspended);
        Assert.Single(_second.Link.Sent);
    }

    /// <summary>The first Publish may bring a message of any subscription of the session.</summary>
    [Fact]
    public async Task Recover_TwoSubscriptions_NoPublishBeforeBothAreReady()
    {
        await SubscribeAsync();
        await SubscribeAsync(id: 10);
        Lose();

        var recovering = _second.Session.RecoverAsync();
        _second.Fault(0, StatusCodes.BadMessageNotAvailable);
        for (var i = 0; i < 2; i++)
            Assert.True(await _second.Link.Arrivals.WaitAsync(Patience.Limit));
        Assert.Equal(10u, _second.Request<RepublishRequest>(-1).SubscriptionId);
        Assert.Equal(2, _second.Link.Sent.Count);
        _second.Fault(1, StatusCodes.BadMessageNotAvailable);
        Assert.Equal(0, await recovering);

        _second.Answer(2, Message(1, id: 10));
        Assert.Equal("1: 7=1", _handler.Events[^1]);
        var acknowledged = Assert.Single(_second.Request<PublishRequest>(-1).SubscriptionAcknowledgements!);
        Assert.Equal((10u, 1u), (acknowledged.SubscriptionId, acknowledged.SequenceNumber));
    }

    /// <summary>The Publish is of a subscription that is new in the session.</summary>
    [Fact]
    public async Task Publish_MessageOfOneThatWaits_NotAcknowledgedAndRepublished()
    {
        await SubscribeAsync();
        Lose();
        await SubscribeAsync(id: 10, server: _second);

        Notify(_second, 1, 1);
        Assert.Null(_second.Request<PublishRequest>(-1).SubscriptionAcknowledgements);
        var recovering = _second.Session.RecoverAsync();
        var asked = _second.Link.Sent.Count - 1;
        Republished(asked, 1);
        _second.Fault(asked + 1, StatusCodes.BadMessageNotAvailable);

        Assert.Equal(1, await recovering);
        Assert.Equal(["BadConnectionClosed", "1: 7=1"], _handler.Events);
    }

    [Fact]
    public async Task Recover_ConnectionLostAgain_TheNextOneGoesOn()
    {
        await SubscribeAsync();
        Lose();
        var recovering = _second.Session.RecoverAsync();
        Republished(0, 1);
        _second.Disconnect(StatusCodes.BadConnectionClosed);
        await Assert.ThrowsAsync<ServiceException>(() => recovering.AsTask());

        using var third = new FakeServer(_first.Options, _second.Session);
        recovering = third.Session.RecoverAsync();
        Assert.Equal(2u, third.Request<RepublishRequest>(0).RetransmitSequenceNumber);
        third.Fault(0, StatusCodes.BadMessageNotAvailable);

        Assert.Equal(0, await recovering);
        Assert.Equal(826u, third.TypeOf(1));
    }

    [Fact]
    public async Task Delete_BeforeItIsRecovered_AskedOfTheSessionThatHasIt()
    {
        var subscription = await SubscribeAsync();
        Lose();

        var deleting = _second.Session.Find(subscription.Id)!.DeleteAsync();
        Assert.Equal([9u], _second.Request<DeleteSubscriptionsRequest>(0).SubscriptionIds!);
        _second.Answer(0, new DeleteSubscriptionsResponse { Results = [StatusCode.Good] });

        await deleting;
        Assert.Null(_second.Session.Find(subscription.Id));
        Assert.Empty(_second.Session.Suspended);
    }

    [Theory]
    [InlineData(StatusCodes.BadSubscriptionIdInvalid)]
    [InlineData(StatusCodes.BadNothingToDo)]
    public async Task Delete_ServerHasNoneOfThatNumber_IsGone(uint status)
    {
        var subscription = await SubscribeAsync();
        var deleting = subscription.DeleteAsync();
        _first.Fault(-1, status);

        await deleting;
        Assert.Null(_first.Session.Find(subscription.Id));
    }

    [Fact]
    public async Task Delete_ServerHasNoTime_ToldAndStillThere()
    {
        var subscription = await SubscribeAsync();
        var deleting = subscription.DeleteAsync();
        _first.Fault(-1, StatusCodes.BadServerTooBusy);

        await Assert.ThrowsAsync<ServiceException>(() => deleting.AsTask());
        Assert.Same(subscription, _first.Session.Find(subscription.Id));
    }

    /// <summary>Else the server would keep it until its queue is full.</summary>
    [Fact]
    public async Task Publish_MessageOfAnUnknownSubscription_Acknowledged()
    {
        await SubscribeAsync(id: 10);
        Notify(_first, 1, 1);

        var acknowledged = Assert.Single(_first.Request<PublishRequest>(-1).SubscriptionAcknowledgements!);
        Assert.Equal((9u, 1u), (acknowledged.SubscriptionId, acknowledged.SequenceNumber));
    }

    [Fact]
    public async Task Find_Recovered_StillThere()
    {
        var subscription = await SubscribeAsync();
        Lose();
        await RecoverNothingAsync();

        Assert.Same(subscription, _second.Session.Find(subscription.Id));
    }

    /// <summary>The answer is no request's of the connection any more that its end could find.</summary>
    [Fact]
    public async Task Create_ConnectionEndsWhileTheAnswerIsHandled_WaitsForItsResumption()
    {
        _first.Session.OnConnectionClosed(StatusCodes.BadConnectionClosed);
        var subscription = await SubscribeAsync();

        Assert.Same(subscription, Assert.Single(_first.Session.Suspended));
    }

    [Fact]
    public async Task Transfer_OneOfTwoIsThere_ThatOneGoesOn()
    {
        await SubscribeAsync();
        await SubscribeAsync(id: 10);
        _first.Disconnect(StatusCodes.BadConnectionClosed);
        _second = new FakeServer(_first.Options);

        var transferring = _second.Session.TransferAsync(_first.Session, default);
        var request = _second.Request<TransferSubscriptionsRequest>(0);
        Assert.Equal([9u, 10u], request.SubscriptionIds!);
        Assert.True(request.SendInitialValues);
        _second.Answer(0, new TransferSubscriptionsResponse
        {
            Results = [new TransferResult { StatusCode = StatusCodes.BadSubscriptionIdInvalid }, new TransferResult()],
        });

        Assert.True(await transferring);
        Assert.Equal(10u, Assert.Single(_second.Session.Suspended).Id);
    }

    [Fact]
    public async Task Transfer_ServiceUnknown_Nothing()
    {
        await SubscribeAsync();
        _first.Disconnect(StatusCodes.BadConnectionClosed);
        _second = new FakeServer(_first.Options);

        var transferring = _second.Session.TransferAsync(_first.Session, default);
        _second.Fault(0, StatusCodes.BadServiceUnsupported);

        Assert.False(await transferring);
    }

    /// <summary>An interval that is no number ends nothing of ours.</summary>
    [Fact]
    public async Task Create_IntervalIsNoNumber_Taken()
    {
        var subscription = await SubscribeAsync(interval: double.NaN);
        Assert.Equal(TimeSpan.FromMilliseconds(100), subscription.Lifetime);
        Assert.Equal(826u, _first.TypeOf(1));
    }

    private async Task<ClientSubscription> SubscribeAsync(
        uint id = 9, double interval = 1000, FakeServer? server = null)
    {
        server ??= _first;
        var creating = server.Session.CreateSubscriptionAsync(new SubscriptionSettings(), _handler);
        server.Answer(-1, new CreateSubscriptionResponse
        {
            SubscriptionId = id,
            RevisedPublishingInterval = interval,
            RevisedLifetimeCount = 60,
            RevisedMaxKeepAliveCount = 10,
        });
        return await creating;
    }

    private void Lose()
    {
        _first.Disconnect(StatusCodes.BadConnectionClosed);
        Assert.True(_first.Session.Closed.IsCompleted);
        _second = new FakeServer(_first.Options, _first.Session);
        Assert.Empty(_second.Link.Sent);
    }

    private async Task RecoverNothingAsync()
    {
        var recovering = _second.Session.RecoverAsync();
        _second.Fault(0, StatusCodes.BadMessageNotAvailable);
        Assert.Equal(0, await recovering);
    }

    private static void Notify(FakeServer server, int index, uint number, params uint[] available) =>
        server.Answer(index, Message(number, available: available));

    private void Republished(int index, uint number)
    {
        Assert.Equal(number, _second.Request<RepublishRequest>(index).RetransmitSequenceNumber);
        _second.Answer(index, new RepublishResponse { NotificationMessage = Message(number).NotificationMessage });
    }

    private static PublishResponse Message(uint number, uint id = 9, params uint[] available) => new()
    {
        SubscriptionId = id,
        AvailableSequenceNumbers = available,
        NotificationMessage = new NotificationMessage
        {
            SequenceNumber = number,
            NotificationData =
            [
                new ExtensionObject(new DataChangeNotification
                {
                    MonitoredItems =
                    [
                        new MonitoredItemNotification
                        {
                            ClientHandle = 7,
                            Value = new DataValue(new Variant((double)number)),
                        },
                    ],
                }),
            ],
        },
    };
}
