using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Items;

/// <summary>What looks at all items of a subscription does so in slices of its shard's lock (R44), and nothing leaves
/// meanwhile that the session's present user may not read (R16).</summary>
public sealed class ItemVisitTests : IAsyncLifetime, IAsyncDisposable
{
    private const int Many = 3_000;
    private const double Secret = 666;

    private static readonly SessionOwner Alice = new("UserName:alice", false, "urn:a", true);
    private static readonly SessionOwner Bob = new("UserName:bob", false, "urn:a", true);

    private readonly PublishFixture _plant = new();
    private readonly TestClient _client;
    private readonly uint _subscription;

    public ItemVisitTests()
    {
        _client = _plant.OpenClient(Alice);
        _subscription = _client.Subscribe();
        _plant.Set(1, Secret);
        for (var i = 0; i < Many; i++)
            _client.Monitor(_subscription, 1);
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Fact]
    public void ChangeUser_ManyItems_AreReviewedInSlicesByTheLoop()
    {
        var lesser = new CountingAccess(StatusCodes.BadUserAccessDenied);
        _client.Session.ChangeUser(lesser, Bob);
        Assert.Equal(0, lesser.Checks);
        _plant.Engine.Shards[0].RunOnce();
        Assert.InRange(lesser.Checks, 1, 1_024);
        _plant.Advance(1);
        Assert.Equal(Many, lesser.Checks);
        Assert.Equal(0, _client.Session.PendingVisits);
    }

    /// <summary>The keep-alive that is due meanwhile stays due, also when publishing is switched.</summary>
    [Fact]
    public void ChangeUser_ReviewUnderWayAtTheLastSilentCycle_KeepAlivesGoOn()
    {
        for (var i = 0; i < 20; i++)
            _client.Publish();
        _plant.Advance(100);
        var subscription = Assert.Single(_client.Session.Subscriptions);
        while (subscription.SilentCycles < 2)
            _plant.Advance(100);
        _client.All();
        _client.Session.ChangeUser(_client, Bob);
        _plant.Time.Advance(TimeSpan.FromMilliseconds(100));
        _plant.Engine.Shards[0].RunOnce();
        Assert.True(_client.Session.PendingVisits > 0);
        Assert.Equal(3u, subscription.SilentCycles);

        _client.SetPublishing(_subscription, false);
        _plant.Advance(1_000);
        Assert.True(_client.All().Count(answer => answer.IsKeepAlive) >= 3);
    }

    [Fact]
    public void ChangeUser_ReviewUnderWay_NothingLeaves()
    {
        _client.Publish();
        _plant.Advance(100);
        Assert.Equal(Many, _client.Next().Changes.Length);
        _plant.Set(1, Secret + 1);
        _plant.Advance(1);
        _client.Session.ChangeUser(new CountingAccess(StatusCodes.BadUserAccessDenied), Bob);
        _plant.Set(1, Secret + 2);
        _client.Publish();
        _client.Session.Serve();
        var repeated = _client.Republish(_subscription, 1);
        Assert.Equal(StatusCodes.BadMessageNotAvailable, repeated.ResponseHeader.ServiceResult.Code);
        _plant.Engine.Shards[0].RunOnce();
        _client.Session.Serve();
        Assert.Equal(0, _client.Pending);

        _plant.Advance(100);
        var changes = _client.Next().Changes;
        Assert.Equal(Many, changes.Length);
        Assert.All(changes, change => Assert.Equal(StatusCodes.BadUserAccessDenied, change.Value.Status.Code));
        Assert.All(changes, change => Assert.True(change.Value.Value.IsNull));
        Assert.Equal(0, _client.Session.Find(_subscription)!.Retransmission.Count - 1);
    }

    [Fact]
    public void Republish_ReviewFinished_MessageIsThere()
    {
        _client.Publish();
        _plant.Advance(100);
        _client.Session.ChangeUser(new CountingAccess(StatusCodes.Good), Bob);
        var slices = 0;
        while (!_client.Session.TryReview(_subscription))
            slices++;
        Assert.InRange(slices, Many / 256, Many);
        var repeated = _client.Republish(_subscription, 1);
        Assert.Equal(StatusCode.Good, repeated.ResponseHeader.ServiceResult);
    }

    [Fact]
    public void ChangeUser_TwiceBeforeTheLoop_TheLastUsersRightsHold()
    {
        _client.Session.ChangeUser(new CountingAccess(StatusCodes.BadUserAccessDenied), Bob);
        _plant.Engine.Shards[0].RunOnce();
        _client.Session.ChangeUser(new CountingAccess(StatusCodes.Good), Alice);
        _client.Publish();
        _plant.Advance(100);
        var changes = _client.Next().Changes;
        Assert.Equal(Many, changes.Length);
        Assert.All(changes, change => Assert.Equal(Secret, change.Value.Value.AsDouble()));
    }

    [Fact]
    public void ChangeUser_SubscriptionDeletedMeanwhile_TheOthersGoOn()
    {
        var other = _client.Subscribe();
        _client.Monitor(other, 2);
        _client.Session.ChangeUser(new CountingAccess(StatusCodes.Good), Bob);
        _plant.Set(2, 2);
        _client.Delete(_subscription);
        Assert.Equal(0, _client.Session.PendingVisits);
        _client.Publish();
        _plant.Advance(100);
        var told = Assert.Single(_client.Next().Changes, change => !change.Value.Value.IsNull);
        Assert.Equal(2, told.Value.Value.AsDouble());
    }

    [Fact]
    public void Close_ReviewUnderWay_KeptSubscriptionLosesNothing()
    {
        _client.Session.ChangeUser(new CountingAccess(StatusCodes.Good), Alice);
        _client.Session.Close(deleteSubscriptions: false);
        _plant.Advance(10);
        var heir = _plant.OpenClient(Alice);
        Assert.Equal(StatusCode.Good, heir.Transfer(_subscription).StatusCode);
        heir.Publish();
        _plant.Advance(100);
        var changes = heir.Next().Changes;
        Assert.Equal(Many, changes.Length);
        Assert.All(changes, change => Assert.Equal(Secret, change.Value.Value.AsDouble()));
    }

    [Fact]
    public void Transfer_WithInitialValues_AreReviewedAndSentTogether()
    {
        _client.Publish();
        _plant.Advance(100);
        _client.Next();
        var access = new CountingAccess(StatusCodes.Good);
        var heir = new TestClient();
        heir.Session = _plant.Engine.OpenSession(heir, access, Alice);
        var transfer = heir.Session.BeginTransfer(_subscription, sendInitialValues: true);
        for (var checks = 0; !transfer.Step(); checks = access.Checks)
            Assert.InRange(access.Checks - checks, 0, 256);
        Assert.Equal(StatusCode.Good, transfer.Result.StatusCode);
        Assert.Equal([1u], transfer.Result.AvailableSequenceNumbers!);
        Assert.Equal(Many, access.Checks);
        heir.Publish();
        _plant.Advance(100);
        Assert.Equal(Many, heir.Next().Changes.Length);
        Assert.Equal(0, heir.Session.PendingVisits);
    }

    [Fact]
    public void ResendData_AgainAndAgain_OthersHaveTheirTurn()
    {
        var other = _plant.OpenClient(Alice);
        var subscription = other.Subscribe();
        for (var i = 0; i < Many; i++)
            other.Monitor(subscription, 1);
        other.Session.ChangeUser(new CountingAccess(StatusCodes.Good), Bob);
        for (var turn = 0; turn < 2 * Many / 512; turn++)
        {
            Assert.Equal(StatusCode.Good, _client.Session.ResendData(_subscription, out _));
            _plant.Engine.Shards[0].RunOnce();
        }

        Assert.Equal(0, other.Session.PendingVisits);
        Assert.Equal(1, _client.Session.PendingVisits);
    }

    [Fact]
    public void QueueCapacity_ItemsComeGoAndChange_IsTheSumOfTheirQueues()
    {
        var subscription = _client.Subscribe();
        var first = _client.Monitor(subscription, 1, queueSize: 10);
        var second = _client.Monitor(subscription, 2, queueSize: 5);
        var mine = _client.Session.Find(subscription)!;
        Assert.Equal(15, mine.QueueCapacity);
        _client.Session.ModifyMonitoredItems(new ModifyMonitoredItemsRequest
        {
            SubscriptionId = subscription,
            TimestampsToReturn = TimestampsToReturn.Both,
            ItemsToModify =
            [
                new MonitoredItemModifyRequest
                {
                    MonitoredItemId = first,
                    RequestedParameters = new MonitoringParameters { QueueSize = 3 },
                },
            ],
        });
        Assert.Equal(8, mine.QueueCapacity);
        _client.DeleteItem(subscription, second);
        Assert.Equal(3, mine.QueueCapacity);
    }

    private sealed class CountingAccess(StatusCode status) : IItemAccess
    {
        public int Checks { get; private set; }

        public StatusCode CheckMonitor(NodeHandle node, AttributeId attribute)
        {
            Checks++;
            return status;
        }
    }
}
