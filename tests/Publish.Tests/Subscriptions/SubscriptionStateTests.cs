using Gateway.Codec.Types;
using Gateway.Publish.Subscriptions;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Subscriptions;

/// <summary>The rows of the state table of Part 4 §5.14.1.2.</summary>
public sealed class SubscriptionStateTests : IAsyncLifetime, IAsyncDisposable
{
    private readonly PublishFixture _plant = new();
    private readonly TestClient _client;

    public SubscriptionStateTests() => _client = _plant.OpenClient();

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    private Subscription Only => Assert.Single(_client.Session.Subscriptions);

    [Fact]
    public void Row4_NormalPublishArrives_IsHeld()
    {
        _client.Subscribe();
        _client.Publish();
        Assert.Equal(1, _client.Session.HeldPublishRequests);
        Assert.Equal(0, _client.Pending);
    }

    [Fact]
    public void Row5_MoreNotifications_NextPublishAnsweredAtOnce()
    {
        var subscription = _client.Subscribe(maxNotifications: 1);
        _client.Monitor(subscription, 1);
        _client.Monitor(subscription, 2);
        _client.Publish();
        _plant.Advance(100);
        var first = _client.Next();
        Assert.True(first.Response!.MoreNotifications);
        Assert.Equal(SubscriptionState.Normal, Only.State);

        _client.Publish();
        var second = _client.Next();
        Assert.False(second.Response!.MoreNotifications);
        Assert.Equal(2u, second.Changes[0].ClientHandle);
        Assert.Equal(2u, second.SequenceNumber);
    }

    [Fact]
    public void Row6_TimerWithRequestAndNotifications_SendsThem()
    {
        var subscription = _client.Subscribe();
        _plant.Set(1, 5);
        _client.Monitor(subscription, 1);
        _client.Publish();
        _plant.Advance(99);
        Assert.Equal(0, _client.Pending);
        _plant.Advance(1);
        var answer = _client.Next();
        Assert.Equal(5, answer.Changes[0].Value.Value.AsDouble());
        Assert.Equal(1u, answer.SequenceNumber);
        Assert.Equal([1u], answer.Response!.AvailableSequenceNumbers!);
        Assert.Equal(SubscriptionState.Normal, Only.State);
        Assert.Equal(1, _client.Flushes);
    }

    [Fact]
    public void Row7_FirstCycleWithoutNotifications_SendsKeepAlive()
    {
        _client.Subscribe();
        _client.Publish();
        _plant.Advance(100);
        var answer = _client.Next();
        Assert.True(answer.IsKeepAlive);
        Assert.Equal(1u, answer.SequenceNumber);
        Assert.Empty(answer.Response!.AvailableSequenceNumbers!);
    }

    [Fact]
    public void Row7_FirstCyclePublishingDisabled_SendsKeepAlive()
    {
        var subscription = _client.Subscribe(enabled: false);
        _client.Monitor(subscription, 1);
        _client.Publish();
        _plant.Advance(100);
        Assert.True(_client.Next().IsKeepAlive);
    }

    [Fact]
    public void Row8_FirstCycleWithoutRequest_IsLateAndNextPublishAnsweredAtOnce()
    {
        _client.Subscribe();
        _plant.Advance(100);
        Assert.Equal(SubscriptionState.Late, Only.State);
        _client.Publish();
        Assert.True(_client.Next().IsKeepAlive);
        Assert.Equal(SubscriptionState.KeepAlive, Only.State);
    }

    [Fact]
    public void Row9And16_SilentCycles_KeepAliveAfterMaxCount()
    {
        _client.Subscribe(keepAlive: 3);
        _client.Publish();
        _client.Publish();
        _plant.Advance(100);
        Assert.True(_client.Next().IsKeepAlive);
        _plant.Advance(299);
        Assert.Equal(SubscriptionState.KeepAlive, Only.State);
        Assert.Equal(0, _client.Pending);
        _plant.Advance(1);
        Assert.True(_client.Next().IsKeepAlive);
    }

    [Fact]
    public void Row10_LateWithNotifications_PublishAnsweredAtOnce()
    {
        var subscription = _client.Subscribe();
        _plant.Set(1, 1);
        _client.Monitor(subscription, 1);
        _plant.Advance(100);
        Assert.Equal(SubscriptionState.Late, Only.State);
        var request = _client.Publish();
        var answer = _client.Next();
        Assert.Equal(request, answer.RequestId);
        Assert.Single(answer.Changes);
        Assert.Equal(SubscriptionState.Normal, Only.State);
        Assert.Equal(1, _plant.Engine.Counters.LateAnswers);
    }

    [Fact]
    public void Row11_LateButDisabledSince_PublishAnsweredByKeepAlive()
    {
        var subscription = _client.Subscribe();
        _client.Monitor(subscription, 1);
        _plant.Advance(100);
        Assert.Equal(StatusCode.Good, _client.SetPublishing(subscription, false));
        _client.Publish();
        Assert.True(_client.Next().IsKeepAlive);
        Assert.Equal(SubscriptionState.KeepAlive, Only.State);
    }

    [Fact]
    public void Row12_LateTimerExpires_StaysLateAndCollects()
    {
        var subscription = _client.Subscribe();
        _client.Monitor(subscription, 1, queueSize: 5);
        _plant.Advance(100);
        _plant.Set(1, 1);
        _plant.Advance(100);
        Assert.Equal(SubscriptionState.Late, Only.State);
        _client.Publish();
        Assert.Equal(2, _client.Next().Changes.Length);
    }

    [Fact]
    public void Row13And14_KeepAliveThenChange_SentAtNextTimer()
    {
        var subscription = _client.Subscribe();
        _client.Publish();
        _plant.Advance(100);
        _client.All();
        _client.Monitor(subscription, 1);
        _client.Publish();
        Assert.Equal(0, _client.Pending);
        _plant.Advance(100);
        Assert.Single(_client.Next().Changes);
        Assert.Equal(SubscriptionState.Normal, Only.State);
    }

    [Fact]
    public void Row15_KeepAliveCounterRunsOut_KeepAliveRepeatsTheNextSequenceNumber()
    {
        var subscription = _client.Subscribe(keepAlive: 2);
        _client.Monitor(subscription, 1);
        for (var i = 0; i < 4; i++)
            _client.Publish();
        _plant.Advance(100);
        Assert.Equal(1u, _client.Next().SequenceNumber);
        _plant.Advance(400);
        var keepAlives = _client.All();
        Assert.Equal(2, keepAlives.Count);
        Assert.All(keepAlives, answer => Assert.True(answer.IsKeepAlive));
        Assert.All(keepAlives, answer => Assert.Equal(2u, answer.SequenceNumber));
    }

    [Fact]
    public void Row17_KeepAliveDueWithoutRequest_BecomesLate()
    {
        _client.Subscribe(keepAlive: 2);
        _client.Publish();
        _plant.Advance(100);
        _client.All();
        _plant.Advance(100);
        Assert.Equal(SubscriptionState.KeepAlive, Only.State);
        _plant.Advance(100);
        Assert.Equal(SubscriptionState.Late, Only.State);
    }

    [Fact]
    public void Row19_DisabledThenEnabled_QueuedValuesFollow()
    {
        var subscription = _client.Subscribe();
        _client.Monitor(subscription, 1);
        _client.SetPublishing(subscription, false);
        _client.Publish();
        _client.Publish();
        _plant.Advance(100);
        Assert.True(_client.Next().IsKeepAlive);
        _client.SetPublishing(subscription, true);
        _plant.Advance(100);
        Assert.Single(_client.Next().Changes);
    }

    [Fact]
    public void Row25_LastSubscriptionDeleted_HeldRequestsGetNoSubscription()
    {
        var subscription = _client.Subscribe();
        _client.Publish();
        _client.Publish();
        Assert.Equal(StatusCode.Good, _client.Delete(subscription));
        Assert.All(_client.All(), answer => Assert.Equal(StatusCodes.BadNoSubscription, answer.Fault.Code));
        Assert.Equal(0, _plant.Engine.Counters.Subscriptions);
    }

    [Fact]
    public void Row26_DeleteUnknown_IsRefused() =>
        Assert.Equal(StatusCodes.BadSubscriptionIdInvalid, _client.Delete(99).Code);

    [Fact]
    public void Row27_LifetimeOver_StatusChangeGoesToTheNextPublish()
    {
        var other = _client.Subscribe(lifetime: 1000);
        _plant.Advance(50);
        var dying = _client.Subscribe(intervalMs: 1000, lifetime: 10, keepAlive: 3);
        _plant.Advance(9999);
        Assert.Equal(2, _client.Session.SubscriptionCount);
        _plant.Advance(1);
        Assert.Equal(1, _client.Session.SubscriptionCount);
        Assert.Equal(1, _plant.Engine.Counters.ExpiredSubscriptions);

        _client.Publish();
        var change = _client.Next();
        Assert.Equal(dying, change.SubscriptionId);
        Assert.Equal(StatusCodes.BadTimeout, change.StatusChange!.Value.Code);
        _client.Publish();
        Assert.Equal(other, _client.Next().SubscriptionId);
    }

    [Fact]
    public void Lifetime_PublishesArrive_NeverEnds()
    {
        _client.Subscribe(intervalMs: 1000, lifetime: 10, keepAlive: 3);
        for (var i = 0; i < 20; i++)
        {
            _client.Publish();
            _plant.Advance(5000);
        }

        Assert.Equal(1, _client.Session.SubscriptionCount);
    }

    [Fact]
    public void Lifetime_HeldRequestsAreUsedUp_EachMessageStartsItAnew()
    {
        _client.Subscribe(intervalMs: 1000, lifetime: 10, keepAlive: 3);
        for (var i = 0; i < 20; i++)
            _client.Publish();
        _plant.Advance(55_000);
        Assert.Equal(1, _client.Session.SubscriptionCount);
    }

    [Fact]
    public void Lifetime_CallNamesTheSubscription_StartsAgain()
    {
        var subscription = _client.Subscribe(intervalMs: 1000, lifetime: 10, keepAlive: 3);
        _plant.Advance(9000);
        _client.SetPublishing(subscription, true);
        _plant.Advance(9000);
        Assert.Equal(1, _client.Session.SubscriptionCount);
        _plant.Advance(1000);
        Assert.Equal(0, _client.Session.SubscriptionCount);
    }

    [Fact]
    public void Lifetime_WallClockJumps_NothingExpires()
    {
        _client.Subscribe(intervalMs: 1000, lifetime: 10, keepAlive: 3);
        _plant.Time.MoveWallClock(TimeSpan.FromDays(3650));
        _plant.Advance(5000);
        _plant.Time.MoveWallClock(TimeSpan.FromDays(-7300));
        _plant.Advance(4000);
        Assert.Equal(1, _client.Session.SubscriptionCount);
    }

    [Fact]
    public void SequenceNumber_AfterTheLast_IsOne()
    {
        var subscription = _client.Subscribe();
        _client.Monitor(subscription, 1);
        Only.NextSequenceNumber = uint.MaxValue;
        _client.Publish();
        _client.Publish();
        _plant.Advance(100);
        _plant.Set(1, 1);
        _plant.Advance(100);
        Assert.Equal([uint.MaxValue, 1u], _client.All().Select(answer => answer.SequenceNumber));
    }

    [Fact]
    public void Sweep_LoopWasAsleep_DueTimesStayOnTheGrid()
    {
        var subscription = _client.Subscribe();
        _client.Monitor(subscription, 1);
        _client.Publish();
        _client.Publish();
        _plant.Time.Advance(250);
        _plant.Advance(0);
        Assert.Single(_client.All());
        _plant.Set(1, 2);
        _plant.Advance(49);
        Assert.Equal(0, _client.Pending);
        _plant.Advance(1);
        Assert.Equal(1, _client.Pending);
    }
}
