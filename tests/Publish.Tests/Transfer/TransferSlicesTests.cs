using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Services;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Transfer;

/// <summary>A large subscription goes to another shard in slices of both locks (R44): what happens between two of them.
/// </summary>
public sealed class TransferSlicesTests : IAsyncLifetime, IAsyncDisposable
{
    private const int Many = 1_000;
    private static readonly SessionOwner Alice = new("UserName:alice", false, "urn:client", true);

    private readonly PublishFixture _plant = new(shards: 2);
    private readonly TestClient _old;
    private readonly TestClient _heir;
    private readonly uint _subscription;

    public TransferSlicesTests()
    {
        (_old, _heir) = (_plant.OpenClient(Alice), _plant.OpenClient(Alice));
        Assert.NotSame(_old.Session.Shard, _heir.Session.Shard);
        _subscription = _old.Subscribe();
        _plant.Set(1, 0);
        for (var i = 0; i < Many; i++)
            _old.Monitor(_subscription, 1, queueSize: 100);
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Fact]
    public void Step_ChangesBetweenSlices_NoneIsLostAndNoneIsOutOfOrder()
    {
        var transfer = Begin();
        var value = 0;
        for (; !transfer.Step(); TurnBoth())
            _plant.Set(1, ++value);
        Assert.True(value > Many / SubscriptionTransfer.ItemsPerStep);
        Assert.Equal(StatusCode.Good, transfer.Result.StatusCode);
        _plant.Set(1, ++value);

        _heir.Publish();
        for (var i = 0; i < 20; i++)
            _heir.Publish();
        _plant.Advance(300);
        var changes = _heir.All().SelectMany(answer => answer.Changes).ToList();
        Assert.Equal(Many * (value + 1), changes.Count);
        var ofOneNode = changes.Select(change => change.Value.Value.AsDouble()).ToList();
        for (var sent = 0; sent <= value; sent++)
            Assert.Equal(Many, ofOneNode.Count(number => number == sent));
        Assert.All(changes, change => Assert.Equal(StatusCode.Good, change.Value.Status));
        for (var i = 0; i < changes.Count; i++)
            Assert.Equal(i % (value + 1), (int)ofOneNode[i]);
    }

    [Fact]
    public void Step_UnderWay_BelongsToNobody()
    {
        _old.Publish();
        var transfer = Begin();
        Assert.False(transfer.Step());
        Assert.Equal((0, 0), (_old.Session.SubscriptionCount, _heir.Session.SubscriptionCount));
        Assert.Equal(StatusCodes.GoodSubscriptionTransferred, _old.Next().StatusChange!.Value.Code);
        Assert.Equal(StatusCodes.BadSubscriptionIdInvalid, _old.Delete(_subscription).Code);
        _plant.Advance(60_000);
        var second = _old.Session.BeginTransfer(_subscription, sendInitialValues: false);
        Assert.False(second.Step());
        StepToTheEnd(transfer);
        Assert.Equal(1, _heir.Session.SubscriptionCount);
        StepToTheEnd(second);
        Assert.Equal(StatusCode.Good, second.Result.StatusCode);
        Assert.Equal((1, 0), (_old.Session.SubscriptionCount, _heir.Session.SubscriptionCount));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Step_NewSessionClosesMeanwhile_ItGoesOrStaysAsItsOthers(bool deletes)
    {
        var transfer = Begin();
        Assert.False(transfer.Step());
        _heir.Session.Close(deletes);
        _old.Session.Close(deleteSubscriptions: true);
        StepToTheEnd(transfer);
        Assert.Equal(StatusCodes.BadSessionClosed, transfer.Result.StatusCode.Code);
        Assert.Equal(deletes ? 0 : 1, _plant.Engine.Subscriptions.Count);
        Assert.Equal(deletes ? 0 : 1, _plant.Engine.Quotas.Detached.Count);
        _plant.Advance(11_000);
        AssertNothingLeft();
    }

    [Fact]
    public void Finish_NobodyWaits_ItArrives()
    {
        var transfer = Begin();
        Assert.False(transfer.Step());
        transfer.Finish();
        Assert.Equal(1, _heir.Session.SubscriptionCount);
        _plant.Set(1, 1);
        _heir.Publish();
        _plant.Advance(100);
        Assert.Equal(2 * Many, _heir.Next().Changes.Length);
        _heir.Session.Close(deleteSubscriptions: true);
        _old.Session.Close(deleteSubscriptions: true);
        _plant.Advance(10);
        AssertNothingLeft();
    }

    [Fact]
    public void Step_MoreChangesThanCanWait_TheLastOneArrivesFlagged()
    {
        var transfer = Begin();
        Assert.False(transfer.Step());
        for (var value = 1; value <= 100; value++)
        {
            _plant.Set(1, value);
            TurnBoth();
        }

        StepToTheEnd(transfer);
        for (var i = 0; i < 20; i++)
            _heir.Publish();
        _plant.Advance(200);
        var changes = _heir.All().SelectMany(answer => answer.Changes).ToList();
        var isFlagged = changes.Any(change => (change.Value.Status.Code & 0x480) == 0x480);
        Assert.Equal(Many, changes.Count(change => change.Value.Value.AsDouble() == 100));
        Assert.True(isFlagged);
    }

    [Fact]
    public void Step_TriggeringItemIsAway_TriggeredOnesFollow()
    {
        var triggered = _old.Monitor(_subscription, 2, mode: MonitoringMode.Sampling);
        var triggering = _old.Monitor(_subscription, 3);
        _old.Session.SetTriggering(new SetTriggeringRequest
        {
            SubscriptionId = _subscription,
            TriggeringItemId = triggering,
            LinksToAdd = [triggered],
        });
        _plant.Set(2, 22);
        var transfer = Begin();
        Assert.False(transfer.Step());
        _plant.Set(3, 33);
        TurnBoth();
        StepToTheEnd(transfer);
        _heir.Publish();
        _plant.Advance(100);
        Assert.Contains(_heir.Next().Changes, change => change.Value.Value.AsDouble() == 22);
    }

    private SubscriptionTransfer Begin() => _heir.Session.BeginTransfer(_subscription, sendInitialValues: false);

    private static void StepToTheEnd(SubscriptionTransfer transfer)
    {
        while (!transfer.Step())
        {
        }
    }

    private void TurnBoth()
    {
        foreach (var shard in _plant.Engine.Shards)
            shard.RunOnce();
    }

    private void AssertNothingLeft()
    {
        var (engine, counters) = (_plant.Engine, _plant.Engine.Counters);
        Assert.Equal((0, 0, 0L, 0L), (
            counters.Subscriptions, counters.MonitoredItems, counters.QueueCapacity, counters.RetransmissionBytes));
        Assert.Equal(0, engine.Subscriptions.Count);
        Assert.Equal(0, engine.Quotas.Users.Count);
        Assert.All(engine.Shards, shard => Assert.Equal(0, shard.Changes.Book.Nodes));
        Assert.False(_plant.Store.IsWatched(_plant.Handle(1)));
    }
}
