using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Items;

/// <summary>Items on what cannot be read when they are created. Source: Part 4 §5.13.2.1, §5.13.2.4.</summary>
public sealed class DeniedItemTests : IAsyncLifetime, IAsyncDisposable
{
    private readonly PublishFixture _plant = new();
    private readonly TestClient _client;
    private readonly uint _subscription;

    public DeniedItemTests()
    {
        _client = _plant.OpenClient();
        _subscription = _client.Subscribe(keepAlive: 1000, lifetime: 10_000);
        _plant.Set(1, 666);
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    private DataValue[] Sweep()
    {
        if (_client.Session.HeldPublishRequests == 0)
            _client.Publish();
        _plant.Advance(100);
        return [.. _client.All().SelectMany(a => a.Changes).Select(c => c.Value)];
    }

    private void Update(bool isReadable) => _plant.Nodes.Apply(new NodeBatch().Update(
        _plant.Handle(1),
        new NodeDefinition
        {
            NodeId = new NodeId(1u, 1),
            NodeClass = NodeClass.Variable,
            BrowseName = new QualifiedName("Tag1", 1),
            Variable = new(
                new NodeId(11),
                AccessLevel: isReadable ? AccessLevelExType.CurrentRead : AccessLevelExType.CurrentWrite),
        }));

    [Theory]
    [InlineData(StatusCodes.BadUserAccessDenied)]
    [InlineData(StatusCodes.BadNotReadable)]
    public void Created_PublishSaysWhyNot_AndGoesOnWhenRightsChange(uint status)
    {
        _client.Access = status;
        var item = _client.Monitor(_subscription, 1, queueSize: 10);
        var first = Assert.Single(Sweep());
        Assert.Equal((status, true), (first.Status.Code, first.Value.IsNull));
        _plant.Set(1, 667);
        Assert.Empty(Sweep());
        Assert.False(_plant.Store.IsWatched(_plant.Handle(1)));

        Update(isReadable: false);
        Assert.Empty(Sweep());
        _client.Access = StatusCode.Good;
        Update(isReadable: true);
        Assert.Equal(667, Assert.Single(Sweep()).Value.AsDouble());
        Assert.Equal(StatusCode.Good, _client.DeleteItem(_subscription, item));
        Assert.Equal(0, _plant.Engine.Shards[0].Changes.Book.Orphans);
    }

    [Fact]
    public void Created_AnotherUserMayRead_GoesOnWithoutAWord()
    {
        _client.Denied.Add(_plant.Handle(1));
        _client.Monitor(_subscription, 1, queueSize: 10);
        Assert.Equal(StatusCodes.BadUserAccessDenied, Assert.Single(Sweep()).Status.Code);
        _client.Session.ChangeUser(new TestClient(), SessionOwner.Unknown);
        Assert.Equal(666, Assert.Single(Sweep()).Value.AsDouble());
    }

    /// <summary>R16: the rules of a node went with it, so nobody can say what the next user may have.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void NodeIsGone_AnotherUser_GetsNothingOfTheFirst(bool isOther)
    {
        _client.Monitor(_subscription, 1, queueSize: 10);
        var sent = Sweep();
        Assert.Equal(666, Assert.Single(sent).Value.AsDouble());
        _plant.Set(1, 667);
        _plant.Engine.Shards[0].HandOutChanges();
        _plant.Nodes.Apply(new NodeBatch().Remove(_plant.Handle(1)));
        _client.Session.ChangeUser(new TestClient(), SessionOwner.Unknown with { UserKey = isOther ? "b" : "" });
        Assert.Equal(StatusCodes.BadNodeIdUnknown, Assert.Single(Sweep()).Status.Code);
        Assert.Equal(
            isOther ? StatusCodes.BadMessageNotAvailable : StatusCodes.Good,
            _client.Republish(_subscription, 1).ResponseHeader.ServiceResult.Code);
    }

    /// <summary>R36: it keeps nothing, as an item whose node was there all the time.</summary>
    [Fact]
    public void NodeIsGone_ComesBackHidden_KeepsNothing()
    {
        _client.Monitor(_subscription, 1, queueSize: 10);
        _plant.Nodes.Apply(new NodeBatch().Remove(_plant.Handle(1)));
        _client.Access = StatusCodes.BadUserAccessDenied;
        _plant.Nodes.Apply(new NodeBatch().AddVariable(
            new NodeId(1u, 1), new QualifiedName("Tag1", 1), new(new NodeId(11)), null, default));
        Assert.Equal(StatusCodes.BadUserAccessDenied, Assert.Single(Sweep()).Status.Code);
    }

    [Fact]
    public void Created_Disabled_SaysSoWhenItIsEnabled()
    {
        _client.Denied.Add(_plant.Handle(1));
        var item = _client.Monitor(_subscription, 1, mode: MonitoringMode.Disabled);
        Assert.Empty(Sweep());
        _client.Session.SetMonitoringMode(new SetMonitoringModeRequest
        {
            SubscriptionId = _subscription,
            MonitoringMode = MonitoringMode.Reporting,
            MonitoredItemIds = [item],
        });
        Assert.Equal(StatusCodes.BadUserAccessDenied, Assert.Single(Sweep()).Status.Code);
    }

    [Fact]
    public void Modified_WhileItCannotBeRead_Good()
    {
        _client.Denied.Add(_plant.Handle(1));
        var item = _client.Monitor(_subscription, 1);
        var result = Assert.Single(_client.Session.ModifyMonitoredItems(new ModifyMonitoredItemsRequest
        {
            SubscriptionId = _subscription,
            ItemsToModify = [new() { MonitoredItemId = item, RequestedParameters = new() { QueueSize = 5 } }],
        }).Results!);
        Assert.Equal((StatusCode.Good, 5u), (result.StatusCode, result.RevisedQueueSize));
    }

    [Theory]
    [InlineData("3", StatusCodes.Good)]
    [InlineData("3:9", StatusCodes.Good)]
    [InlineData("4", StatusCodes.BadIndexRangeNoData)]
    [InlineData("4:5", StatusCodes.BadIndexRangeNoData)]
    [InlineData("3,99", StatusCodes.Good)]
    public void IndexRange_BeyondFixedDimensions_IsRefused(string range, uint status)
    {
        var facts = new VariableFacts(new NodeId(11), ValueRank: 2, ArrayDimensions: [4, 0]);
        _plant.Nodes.Apply(new NodeBatch().AddVariable(
            new NodeId(500, 1), new QualifiedName("Fixed", 1), facts, null, default));
        Assert.Equal(status, _client.TryMonitor(_subscription, TestClient.Item(500, range: range)).StatusCode.Code);
        Assert.Equal(status == StatusCodes.Good ? 1 : 0, _plant.Engine.Counters.MonitoredItems);
    }
}
