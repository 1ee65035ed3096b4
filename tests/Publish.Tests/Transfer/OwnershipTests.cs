using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Transfer;

/// <summary>Who may take over what (R15), and what a new user may read of it (R16, R36).</summary>
public sealed class OwnershipTests : IAsyncLifetime, IAsyncDisposable
{
    private static readonly SessionOwner Alice = new("UserName:alice", false, "urn:a", true);

    private readonly PublishFixture _plant = new(shards: 2);

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Theory]
    [InlineData("UserName:a", false, "urn:1", true, "UserName:a", false, "urn:2", false, true)]
    [InlineData("UserName:a", false, "urn:1", true, "UserName:b", false, "urn:1", true, false)]
    [InlineData("UserName:a", false, "urn:1", true, "Certificate:a", false, "urn:1", true, false)]
    [InlineData("UserName:a", false, "urn:1", true, "certificate:x", true, "urn:1", true, false)]
    [InlineData("certificate:x", true, "urn:1", true, "UserName:a", false, "urn:1", true, false)]
    [InlineData("certificate:x", true, "urn:1", true, "certificate:x", true, "urn:1", true, true)]
    [InlineData("certificate:x", true, "urn:1", true, "certificate:y", true, "urn:1", true, true)]
    [InlineData("certificate:x", true, "urn:1", true, "certificate:x", true, "urn:2", true, false)]
    [InlineData("certificate:x", true, "urn:1", false, "certificate:x", true, "urn:1", true, false)]
    [InlineData("certificate:x", true, "urn:1", true, "certificate:x", true, "urn:1", false, false)]
    [InlineData("certificate:", true, "urn:1", false, "certificate:", true, "urn:1", false, false)]
    public void Transfer_Owners_OnlyTheSameUserOrSignedApplication(
        string fromUser, bool fromAnonymous, string fromUri, bool fromSigned,
        string toUser, bool toAnonymous, string toUri, bool toSigned, bool allowed)
    {
        var from = _plant.OpenClient(new SessionOwner(fromUser, fromAnonymous, fromUri, fromSigned));
        var to = _plant.OpenClient(new SessionOwner(toUser, toAnonymous, toUri, toSigned));
        var subscription = from.Subscribe();
        var status = to.Transfer(subscription).StatusCode;
        Assert.Equal(allowed ? StatusCodes.Good : StatusCodes.BadUserAccessDenied, status.Code);
        Assert.Equal(allowed ? 1 : 0, to.Session.SubscriptionCount);
        Assert.Equal(allowed ? 0 : 1, _plant.Engine.Counters.RefusedTransfers);
    }

    [Fact]
    public void Transfer_NewSessionMayNotRead_ItemKeepsNothingAndSaysSo()
    {
        var (from, to) = (_plant.OpenClient(Alice), _plant.OpenClient(Alice));
        to.Denied.Add(_plant.Handle(1));
        var subscription = from.Subscribe();
        from.Monitor(subscription, 1, queueSize: 10);
        from.Monitor(subscription, 2);
        _plant.Set(1, 666);
        from.Publish();
        _plant.Advance(100);
        _plant.Set(1, 667);
        var result = to.Transfer(subscription, sendInitialValues: true);
        Assert.Empty(result.AvailableSequenceNumbers!);
        _plant.Set(1, 668);
        to.Publish();
        to.Publish();
        _plant.Advance(200);
        var changes = to.All().SelectMany(answer => answer.Changes).ToList();
        var refused = Assert.Single(changes, change => change.ClientHandle == 1);
        Assert.Equal(StatusCodes.BadUserAccessDenied, refused.Value.Status.Code);
        Assert.True(refused.Value.Value.IsNull);
        Assert.False(_plant.Store.IsWatched(_plant.Handle(1)));
        Assert.Equal(
            StatusCodes.BadMessageNotAvailable,
            to.Republish(subscription, 1).ResponseHeader.ServiceResult.Code);
        Assert.Equal(_plant.Engine.Counters.RetransmissionBytes, Kept(to, subscription));
    }

    [Fact]
    public void Transfer_DeniedItem_EnablingItDoesNotHelp()
    {
        var (from, to) = (_plant.OpenClient(Alice), _plant.OpenClient(Alice));
        to.Denied.Add(_plant.Handle(1));
        var subscription = from.Subscribe();
        var item = from.Monitor(subscription, 1, mode: MonitoringMode.Disabled);
        _plant.Set(1, 666);
        to.Transfer(subscription);
        to.Session.SetMonitoringMode(new SetMonitoringModeRequest
        {
            SubscriptionId = subscription,
            MonitoringMode = MonitoringMode.Reporting,
            MonitoredItemIds = [item],
        });
        _plant.Set(1, 667);
        to.Publish();
        _plant.Advance(100);
        var change = Assert.Single(to.Next().Changes);
        Assert.Equal(StatusCodes.BadUserAccessDenied, change.Value.Status.Code);
    }

    [Fact]
    public void ChangeUser_LessThenMore_ItemStopsAndStartsAnew()
    {
        var client = _plant.OpenClient(Alice);
        var subscription = client.Subscribe();
        client.Monitor(subscription, 1);
        _plant.Set(1, 1);
        var lesser = new TestClient();
        lesser.Denied.Add(_plant.Handle(1));
        client.Session.ChangeUser(lesser, new SessionOwner("UserName:bob", false, "urn:a", true));
        _plant.Set(1, 2);
        client.Publish();
        _plant.Advance(100);
        Assert.Equal(StatusCodes.BadUserAccessDenied, Assert.Single(client.Next().Changes).Value.Status.Code);

        client.Session.ChangeUser(client, Alice);
        client.Publish();
        _plant.Advance(100);
        Assert.Equal(2, Assert.Single(client.Next().Changes).Value.Value.AsDouble());
        Assert.Equal(1, _plant.Engine.Quotas.Users.Count);
    }

    [Fact]
    public void CreateItem_UserChangesMeanwhile_ItemIsDenied()
    {
        var client = _plant.OpenClient(Alice);
        var subscription = client.Subscribe();
        var lesser = new TestClient();
        lesser.Denied.Add(_plant.Handle(1));
        _plant.Set(1, 666);
        client.Checked = () => client.Session.ChangeUser(lesser, Alice);
        client.Monitor(subscription, 1);
        client.Publish();
        _plant.Advance(100);
        Assert.Equal(StatusCodes.BadUserAccessDenied, Assert.Single(client.Next().Changes).Value.Status.Code);
        Assert.False(_plant.Store.IsWatched(_plant.Handle(1)));
    }

    private static long Kept(TestClient client, uint subscription) =>
        client.Session.Subscriptions.Single(mine => mine.Id == subscription).Retransmission.Bytes;
}
