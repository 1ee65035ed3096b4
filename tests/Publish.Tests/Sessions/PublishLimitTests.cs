using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Sessions;

/// <summary>Each limit refuses or revises, and counts (R09).</summary>
public sealed class PublishLimitTests
{
    [Fact]
    public async Task CreateSubscription_SessionFull_IsRefusedAndCounted()
    {
        await using var plant = new PublishFixture(limits: new PublishLimits { MaxSubscriptionsPerSession = 2 });
        var client = plant.OpenClient();
        client.Subscribe();
        var second = client.Subscribe();
        Assert.Equal(StatusCodes.BadTooManySubscriptions, TrySubscribe(client).Code);
        Assert.Equal(1, plant.Engine.Counters.RefusedSubscriptions);
        client.Delete(second);
        Assert.Equal(StatusCode.Good, TrySubscribe(client));
    }

    [Fact]
    public async Task CreateSubscription_ServerFull_DetachedOnesCount()
    {
        await using var plant = new PublishFixture(limits: new PublishLimits { MaxSubscriptions = 2 });
        var gone = plant.OpenClient();
        gone.Subscribe();
        gone.Session.Close(deleteSubscriptions: false);
        var client = plant.OpenClient();
        client.Subscribe();
        Assert.Equal(StatusCodes.BadTooManySubscriptions, TrySubscribe(client).Code);
        Assert.Equal(2, plant.Engine.Counters.Subscriptions);
    }

    [Fact]
    public async Task CreateMonitoredItems_SubscriptionOrServerFull_IsRefusedAndCounted()
    {
        var limits = new PublishLimits { MaxMonitoredItemsPerSubscription = 2, MaxMonitoredItems = 3 };
        await using var plant = new PublishFixture(limits: limits);
        var client = plant.OpenClient();
        var (first, second) = (client.Subscribe(), client.Subscribe());
        client.Monitor(first, 1);
        var item = client.Monitor(first, 2);
        Assert.Equal(StatusCodes.BadTooManyMonitoredItems, Status(client, first));
        client.Monitor(second, 1);
        Assert.Equal(StatusCodes.BadTooManyMonitoredItems, Status(client, second));
        Assert.Equal(2, plant.Engine.Counters.RefusedMonitoredItems);
        client.DeleteItem(first, item);
        Assert.Equal(0u, Status(client, second));
    }

    [Fact]
    public async Task CreateSubscription_UserFullOverHisSessions_IsRefusedAndOthersAreNot()
    {
        await using var plant = new PublishFixture(limits: new PublishLimits { MaxSubscriptionsPerUser = 2 });
        var alice = new SessionOwner("UserName:alice", false, "urn:a", true);
        var (first, second) = (plant.OpenClient(alice), plant.OpenClient(alice));
        var bob = plant.OpenClient(alice with { UserKey = "UserName:bob" });
        first.Subscribe();
        first.Session.Close(deleteSubscriptions: false);
        var attached = second.Subscribe();
        Assert.Equal(StatusCodes.BadTooManySubscriptions, TrySubscribe(second).Code);
        Assert.Equal(StatusCode.Good, TrySubscribe(bob));
        Assert.Equal(1, plant.Engine.Counters.RefusedSubscriptions);
        second.Delete(attached);
        Assert.Equal(StatusCode.Good, TrySubscribe(second));
    }

    [Fact]
    public async Task CreateMonitoredItems_UserOrSessionFull_IsRefusedAndCounted()
    {
        var limits = new PublishLimits { MaxMonitoredItemsPerUser = 3, MaxMonitoredItemsPerSession = 2 };
        await using var plant = new PublishFixture(limits: limits);
        var (first, second) = (plant.OpenClient(), plant.OpenClient());
        var subscription = first.Subscribe();
        var item = first.Monitor(subscription, 1);
        first.Monitor(first.Subscribe(), 1);
        Assert.Equal(StatusCodes.BadTooManyMonitoredItems, Status(first, subscription));
        var other = second.Subscribe();
        second.Monitor(other, 1);
        Assert.Equal(StatusCodes.BadTooManyMonitoredItems, Status(second, other));
        Assert.Equal(2, plant.Engine.Counters.RefusedMonitoredItems);
        first.DeleteItem(subscription, item);
        Assert.Equal(0u, Status(second, other));
    }

    [Theory]
    [InlineData(10, 1000)]
    [InlineData(1000, 10)]
    public async Task QueueSizes_UsersOrSessionsSumUsedUp_IsOneEntry(int ofSession, int ofUser)
    {
        var limits = new PublishLimits { MaxQueuedValuesPerSession = ofSession, MaxQueuedValuesPerUser = ofUser };
        await using var plant = new PublishFixture(limits: limits);
        var client = plant.OpenClient();
        var subscription = client.Subscribe();
        Assert.Equal(8u, client.TryMonitor(subscription, TestClient.Item(1, queueSize: 8)).RevisedQueueSize);
        Assert.Equal(1u, client.TryMonitor(subscription, TestClient.Item(2, queueSize: 8)).RevisedQueueSize);
        Assert.Equal((9, 1), (plant.Engine.Counters.QueueCapacity, plant.Engine.Counters.RevisedQueueSizes));
        client.Session.Close(deleteSubscriptions: true);
        Assert.Equal((0, 0), (plant.Engine.Counters.QueueCapacity, plant.Engine.Quotas.Users.Count));
    }

    [Fact]
    public async Task QueueSizes_LimitAndServersSum_AreRevised()
    {
        var limits = new PublishLimits { MaxMonitoredItemsQueueSize = 50, MaxQueuedValues = 80 };
        await using var plant = new PublishFixture(limits: limits);
        var client = plant.OpenClient();
        var subscription = client.Subscribe();
        Assert.Equal(50u, client.TryMonitor(subscription, TestClient.Item(1, queueSize: 500)).RevisedQueueSize);
        Assert.Equal(1u, client.TryMonitor(subscription, TestClient.Item(2, queueSize: 40)).RevisedQueueSize);
        Assert.Equal(1, plant.Engine.Counters.RevisedQueueSizes);
        Assert.Equal(51, plant.Engine.Counters.QueueCapacity);
    }

    [Theory]
    [InlineData(-5, 0, 0, 10, 1000, 10)]
    [InlineData(double.NaN, 1, 20, 10, 1000, 20)]
    [InlineData(100, 5, 100, 100, 300, 100)]
    [InlineData(1e30, 0, 100, 3_600_000, 3, 1)]
    [InlineData(1000, uint.MaxValue, uint.MaxValue, 1000, 10800, 3600)]
    public async Task CreateSubscription_Times_AreRevised(
        double interval, uint lifetime, uint keepAlive, double toInterval, uint toLifetime, uint toKeepAlive)
    {
        await using var plant = new PublishFixture();
        var response = plant.OpenClient().Session.CreateSubscription(new CreateSubscriptionRequest
        {
            RequestedPublishingInterval = interval,
            RequestedLifetimeCount = lifetime,
            RequestedMaxKeepAliveCount = keepAlive,
        });
        Assert.Equal(toInterval, response.RevisedPublishingInterval);
        Assert.Equal(toLifetime, response.RevisedLifetimeCount);
        Assert.Equal(toKeepAlive, response.RevisedMaxKeepAliveCount);
    }

    [Fact]
    public async Task Retransmission_ServersBytesUsedUp_NewestMessageStays()
    {
        await using var plant = new PublishFixture(limits: new PublishLimits { MaxRetransmissionBytes = 200 });
        var client = plant.OpenClient();
        var subscription = client.Subscribe();
        client.Monitor(subscription, 1);
        for (var i = 0; i < 10; i++)
        {
            client.Publish();
            plant.Set(1, i);
            plant.Advance(100);
        }

        var available = client.All()[^1].Response!.AvailableSequenceNumbers!;
        Assert.InRange(available.Length, 1, 5);
        Assert.Equal(10u, available[^1]);
        Assert.True(plant.Engine.Counters.DroppedRetransmissions > 0);
    }

    /// <summary>By bytes, and by messages; the number is never below two a Publish request.</summary>
    [Theory]
    [InlineData(200, 10, 1, 5)]
    [InlineData(4096, 0, 2, 2)]
    [InlineData(4096, 4, 4, 4)]
    public async Task Retransmission_OneSubscriptionsUsedUp_OldestGo(int bytes, int messages, int fewest, int most)
    {
        await using var plant = new PublishFixture(limits: new PublishLimits
        {
            MaxPublishRequestsPerSession = 1,
            MaxRetransmissionBytesPerSubscription = bytes,
            MaxRetransmissionMessages = messages,
        });
        var client = plant.OpenClient();
        var subscription = client.Subscribe();
        client.Monitor(subscription, 1);
        for (var i = 0; i < 10; i++)
        {
            client.Publish();
            plant.Set(1, i);
            plant.Advance(100);
        }

        var available = client.All()[^1].Response!.AvailableSequenceNumbers!;
        Assert.InRange(available.Length, fewest, most);
        Assert.Equal(10u, available[^1]);
    }

    [Fact]
    public async Task Publish_MoreAcknowledgementsThanTheLimit_IsRefused()
    {
        await using var plant = new PublishFixture(limits: new PublishLimits { MaxAcknowledgementsPerPublish = 2 });
        var client = plant.OpenClient();
        var one = (client.Subscribe(), 1u);

        Assert.Equal(StatusCode.Good, client.TryPublish(0, one, one));
        Assert.Equal(StatusCodes.BadTooManyOperations, client.TryPublish(0, one, one, one).Code);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(100)]
    public async Task CreateSubscription_MoreNotificationsThanTheLimit_AMessageHasTheLimits(uint asked)
    {
        await using var plant = new PublishFixture(limits: new PublishLimits { MaxNotificationsPerPublish = 3 });
        var client = plant.OpenClient();
        var subscription = client.Subscribe(maxNotifications: asked);
        for (uint tag = 1; tag <= 5; tag++)
            client.Monitor(subscription, tag);
        client.Publish();
        plant.Advance(100);

        var response = client.Next().Response!;
        Assert.True(response.MoreNotifications);
        var changes = (DataChangeNotification)response.NotificationMessage.NotificationData![0].Body!;
        Assert.Equal(3, changes.MonitoredItems!.Length);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(3000)]
    public async Task Message_LargerThanPeerOrLimit_IsSplit(int peerBytes)
    {
        await using var plant = new PublishFixture(500, new PublishLimits { MaxPublishResponseBytes = 4000 });
        var client = plant.OpenClient();
        client.MaxResponseSizeBytes = peerBytes;
        var subscription = client.Subscribe();
        for (var i = 1u; i <= 500; i++)
        {
            plant.Set(i, i);
            client.Monitor(subscription, i);
        }

        for (var i = 0; i < 20; i++)
            client.Publish();
        plant.Advance(100);
        var answers = client.All();
        var handles = answers.SelectMany(answer => answer.Changes).Select(change => change.ClientHandle);
        Assert.Equal(Enumerable.Range(1, 500).Select(i => (uint)i), handles);
        Assert.All(answers.SkipLast(1), answer => Assert.True(answer.Response!.MoreNotifications));
        Assert.False(answers[^1].Response!.MoreNotifications);
        Assert.True(client.LargestMessage <= (peerBytes == 0 ? 4000 : peerBytes));
    }

    [Fact]
    public async Task Message_OneValueLargerThanPeer_IsReportedWithoutIt()
    {
        await using var plant = new PublishFixture();
        var client = plant.OpenClient();
        client.MaxResponseSizeBytes = 8192;
        var subscription = client.Subscribe();
        client.Monitor(subscription, 1);
        plant.Store.Set(plant.Handle(1), new DataValue(new Variant(new string('x', 10_000))));
        client.Publish();
        plant.Advance(100);
        var value = Assert.Single(client.Next().Changes).Value;
        Assert.Equal(StatusCodes.BadEncodingLimitsExceeded, value.Status.Code);
    }

    /// <summary>Source: Part 4 §5.13.1.5, §7.40.</summary>
    [Theory]
    [InlineData(TimestampsToReturn.Neither, false, false)]
    [InlineData(TimestampsToReturn.Source, true, false)]
    [InlineData(TimestampsToReturn.Server, false, true)]
    [InlineData(TimestampsToReturn.Both, true, true)]
    public async Task Message_OneValueLargerThanPeer_KeepsItsBitsAndTheTimesAskedFor(
        TimestampsToReturn timestamps, bool hasSource, bool hasServer)
    {
        await using var plant = new PublishFixture();
        var client = plant.OpenClient();
        client.MaxResponseSizeBytes = 8192;
        client.Session.CreateMonitoredItems(new CreateMonitoredItemsRequest
        {
            SubscriptionId = client.Subscribe(),
            TimestampsToReturn = timestamps,
            ItemsToCreate = [TestClient.Item(1, queueSize: 2)],
        });
        for (var i = 0; i < 3; i++)
        {
            plant.Store.Set(plant.Handle(1), new DataValue(
                new Variant(new string('x', 10_000 + i)), StatusCode.Good, plant.Time.GetUtcNow().UtcDateTime));
        }

        client.Publish();
        plant.Advance(100);
        var value = client.Next().Changes[0].Value;
        Assert.Equal(
            StatusCodes.BadEncodingLimitsExceeded | (uint)NotificationBits.Overflow, value.Status.Code);
        Assert.Equal(hasSource, value.SourceTimestamp != default);
        Assert.Equal(hasServer, value.ServerTimestamp != default);
    }

    [Fact]
    public async Task Message_HeadAloneLargerThanPeer_TheRequestIsAnsweredAllTheSame()
    {
        await using var plant = new PublishFixture();
        var client = plant.OpenClient();
        client.MaxResponseSizeBytes = 8192;
        var subscription = client.Subscribe();
        client.Monitor(subscription, 1);
        plant.Set(1, 5);
        client.Publish([.. Enumerable.Range(0, 3000).Select(i => (0u, (uint)i))]);
        plant.Advance(100);
        Assert.Equal(StatusCodes.BadResponseTooLarge, client.Next().Fault.Code);
        Assert.True(client.LargestMessage < 8192);
        var again = client.Republish(subscription, 1);
        Assert.Equal(StatusCode.Good, again.ResponseHeader.ServiceResult);
    }

    [Fact]
    public async Task CreateMonitoredItems_BadRequests_HaveTheirCodes()
    {
        await using var plant = new PublishFixture(limits: new PublishLimits { MaxMonitoredItemsPerCall = 2 });
        var client = plant.OpenClient();
        var subscription = client.Subscribe();
        uint Try(MonitoredItemCreateRequest request) => client.TryMonitor(subscription, request).StatusCode.Code;
        Assert.Equal(StatusCodes.BadNodeIdUnknown, Try(TestClient.Item(99)));
        Assert.Equal(StatusCodes.BadAttributeIdInvalid, Try(TestClient.Item(1, attribute: (AttributeId)99)));
        Assert.Equal(StatusCodes.BadIndexRangeInvalid, Try(TestClient.Item(1, range: "2:1")));
        client.Access = StatusCodes.BadSecurityModeInsufficient;
        Assert.Equal(StatusCodes.BadSecurityModeInsufficient, Try(TestClient.Item(1)));
        client.Access = StatusCodes.BadUserAccessDenied;
        client.Hidden.Add(plant.Handle(1));
        Assert.Equal(StatusCodes.BadUserAccessDenied, Try(TestClient.Item(1)));
        Assert.Equal(StatusCodes.BadSubscriptionIdInvalid, Call(client, 99, TestClient.Item(1)));
        Assert.Equal(StatusCodes.BadNothingToDo, Call(client, subscription));
        var item = TestClient.Item(1);
        Assert.Equal(StatusCodes.BadTooManyOperations, Call(client, subscription, item, item, item));
        Assert.Equal(StatusCodes.BadMonitoredItemIdInvalid, client.DeleteItem(subscription, 5).Code);
        Assert.Equal(0, plant.Engine.Counters.MonitoredItems);
    }

    private static uint Call(TestClient client, uint subscription, params MonitoredItemCreateRequest[] items) =>
        client.Session.CreateMonitoredItems(new CreateMonitoredItemsRequest
        {
            SubscriptionId = subscription,
            ItemsToCreate = items,
        }).ResponseHeader.ServiceResult.Code;

    private static uint Status(TestClient client, uint subscription) =>
        client.TryMonitor(subscription, TestClient.Item(3)).StatusCode.Code;

    private static StatusCode TrySubscribe(TestClient client) => client.Session
        .CreateSubscription(new CreateSubscriptionRequest { RequestedPublishingInterval = 100 })
        .ResponseHeader.ServiceResult;
}
