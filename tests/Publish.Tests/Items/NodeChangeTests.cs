using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Items;

/// <summary>Attributes other than Value, and nodes that go, come and change. Source: Part 4 §5.13.1.1, §5.13.1.6.
/// </summary>
public sealed class NodeChangeTests : IAsyncLifetime, IAsyncDisposable
{
    private const uint StructureChanged = 0x8000;

    private readonly PublishFixture _plant = new();
    private readonly TestClient _client;
    private readonly uint _subscription;

    public NodeChangeTests()
    {
        _client = _plant.OpenClient();
        _subscription = _client.Subscribe(keepAlive: 1000, lifetime: 10_000);
        _plant.Set(1, 1);
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    private DataValue[] Sweep()
    {
        _client.Publish();
        _plant.Advance(100);
        return [.. _client.All().SelectMany(answer => answer.Changes).Select(change => change.Value)];
    }

    private void MonitorAttribute(AttributeId attribute, uint node = 1)
    {
        var result = _client.TryMonitor(_subscription, TestClient.Item(node, attribute: attribute));
        Assert.Equal(StatusCode.Good, result.StatusCode);
    }

    private static NodeDefinition Tag1(string displayName = "Tag1", uint dataType = 11, bool isReadable = true) => new()
    {
        NodeId = new NodeId(1u, 1),
        NodeClass = NodeClass.Variable,
        BrowseName = new QualifiedName("Tag1", 1),
        DisplayName = new LocalizedText(displayName),
        Variable = new(
            new NodeId(dataType),
            AccessLevel: isReadable ? AccessLevelExType.CurrentRead : AccessLevelExType.CurrentWrite),
    };

    private void Update(NodeDefinition definition) =>
        _plant.Nodes.Apply(new NodeBatch().Update(_plant.Handle(1), definition));

    private void Remove() => _plant.Nodes.Apply(new NodeBatch().Remove(_plant.Handle(1)));

    private void Add(NodeDefinition definition) => _plant.Nodes.Apply(new NodeBatch().AddNode(definition));

    /// <summary>Nobody's rights hold then: what waits for the client that comes back stays.</summary>
    [Fact]
    public void Update_SessionClosedMeanwhile_HeirGetsWhatWaited()
    {
        var owner = new SessionOwner("UserName:alice", false, "urn:a", true);
        var client = _plant.OpenClient(owner);
        var subscription = client.Subscribe();
        client.Monitor(subscription, 1, queueSize: 10);
        _plant.Set(1, 2);
        _plant.Advance(1);
        client.Session.Close(deleteSubscriptions: false);
        Update(Tag1("Pressure"));
        _plant.Set(1, 3);
        var heir = _plant.OpenClient(owner);
        Assert.Equal(StatusCode.Good, heir.Transfer(subscription).StatusCode);
        heir.Publish();
        _plant.Advance(100);
        Assert.Equal([1.0, 2.0, 3.0], heir.Next().Changes.Select(change => change.Value.Value.AsDouble()));
    }

    [Fact]
    public void DisplayName_Updated_IsReportedOnce()
    {
        MonitorAttribute(AttributeId.DisplayName);
        Assert.Equal("Tag1", Assert.Single(Sweep()).Value.AsLocalizedText().Text);
        Update(Tag1("Pressure"));
        Assert.Equal("Pressure", Assert.Single(Sweep()).Value.AsLocalizedText().Text);
        Update(Tag1("Pressure"));
        Assert.Empty(Sweep());
        _plant.Set(1, 2);
        Assert.Empty(Sweep());
    }

    [Fact]
    public void AccessLevel_Updated_IsReported()
    {
        MonitorAttribute(AttributeId.AccessLevel);
        Assert.Equal(1, Assert.Single(Sweep()).Value.AsDouble());
        Update(Tag1(isReadable: false));
        Assert.Equal(2, Assert.Single(Sweep()).Value.AsDouble());
    }

    public static TheoryData<MonitoringFilter?, uint> EventFilters => new()
    {
        { new EventFilter(), StatusCodes.BadNotSupported },
        { null, StatusCodes.BadMonitoredItemFilterInvalid },
        { new DataChangeFilter(), StatusCodes.BadFilterNotAllowed },
    };

    [Theory]
    [MemberData(nameof(EventFilters))]
    public void EventNotifier_WithWhateverFilter_IsRefused(MonitoringFilter? filter, uint expected)
    {
        Add(new NodeDefinition
        {
            NodeId = new NodeId(70u, 1),
            NodeClass = NodeClass.Object,
            BrowseName = new QualifiedName("Folder", 1),
        });
        var item = TestClient.Item(70, filter: filter, attribute: AttributeId.EventNotifier);
        Assert.Equal(expected, _client.TryMonitor(_subscription, item).StatusCode.Code);
    }

    [Fact]
    public void AttributeThatTheNodeLacks_IsRefused() => Assert.Equal(
        StatusCodes.BadAttributeIdInvalid,
        _client.TryMonitor(_subscription, TestClient.Item(1, attribute: AttributeId.EventNotifier)).StatusCode.Code);

    [Fact]
    public void UserAttribute_IsTheUsersOwn()
    {
        _client.UserAttributes[AttributeId.UserAccessLevel] = new Variant((byte)5);
        MonitorAttribute(AttributeId.UserAccessLevel);
        Assert.Equal(5, Assert.Single(Sweep()).Value.AsDouble());
    }

    [Fact]
    public void Removed_ValueAndAttribute_ReportUnknownOnce_AndComeBack()
    {
        _client.Monitor(_subscription, 1, queueSize: 5);
        MonitorAttribute(AttributeId.DisplayName);
        Assert.Equal(2, Sweep().Length);
        var old = _plant.Handle(1);
        Remove();
        var gone = Sweep();
        Assert.Equal(2, gone.Length);
        Assert.All(gone, value => Assert.Equal(StatusCodes.BadNodeIdUnknown, value.Status.Code));
        _plant.Store.Set(old, new DataValue(new Variant(7.0)));
        Assert.Empty(Sweep());
        Assert.False(_plant.Store.IsWatched(old));

        Add(Tag1("Back"));
        _plant.Set(1, 8);
        var back = Sweep();
        Assert.Contains(back, value => value.Value.AsDouble() == 8);
        Assert.Contains(back, value => value.Value.AsLocalizedText().Text == "Back");
        _plant.Set(1, 9);
        Assert.Equal(9, Assert.Single(Sweep()).Value.AsDouble());
        Assert.Equal(0, _plant.Engine.Shards[0].Changes.Book.Orphans);
    }

    [Fact]
    public void Replaced_InOneBatch_GoesOnWithoutUnknown_AndTellsOfAnotherType()
    {
        _client.Monitor(_subscription, 1, queueSize: 5);
        Sweep();
        _plant.Nodes.Apply(new NodeBatch().Remove(_plant.Handle(1)).AddNode(Tag1(dataType: 6)));
        _plant.Store.Set(_plant.Handle(1), new DataValue(new Variant(3)));
        var changes = Sweep();
        Assert.Equal(StatusCodes.BadWaitingForInitialData | StructureChanged, changes[0].Status.Code);
        Assert.Equal(new Variant(3), changes[1].Value);
        Assert.Equal(2, changes.Length);
    }

    [Fact]
    public void NoLongerReadable_ReportsItAndStops_ReadableAgainGoesOn()
    {
        _client.Monitor(_subscription, 1);
        Sweep();
        _client.Denied.Add(_plant.Handle(1));
        Update(Tag1(isReadable: false));
        Assert.Equal(StatusCodes.BadUserAccessDenied, Assert.Single(Sweep()).Status.Code);
        _plant.Set(1, 2);
        Assert.Empty(Sweep());
        _client.Denied.Clear();
        Update(Tag1());
        Assert.Equal(2, Assert.Single(Sweep()).Value.AsDouble());
    }

    [Fact]
    public void RemovedWhileDisabled_EnabledAfterItsReturn_Good()
    {
        var item = _client.Monitor(_subscription, 1);
        Sweep();
        SetMode(item, MonitoringMode.Disabled);
        Remove();
        SetMode(item, MonitoringMode.Reporting);
        Assert.Equal(StatusCodes.BadNodeIdUnknown, Assert.Single(Sweep()).Status.Code);
        SetMode(item, MonitoringMode.Disabled);
        Add(Tag1());
        _plant.Set(1, 4);
        SetMode(item, MonitoringMode.Reporting);
        Assert.Equal(4, Assert.Single(Sweep()).Value.AsDouble());
    }

    [Fact]
    public void Removed_ItemDeletedThen_LeavesNothing()
    {
        var item = _client.Monitor(_subscription, 1);
        Remove();
        Assert.Equal(StatusCode.Good, _client.DeleteItem(_subscription, item));
        Assert.Equal(0, _plant.Engine.Shards[0].Changes.Book.Orphans);
        Add(Tag1());
        Assert.False(_plant.Store.IsWatched(_plant.Handle(1)));
    }

    [Fact]
    public void Removed_ManyItemsOnOneNode_EachReportsOnce()
    {
        for (var i = 0; i < 500; i++)
            _client.Monitor(_subscription, 1);
        Assert.Equal(500, Sweep().Length);
        Remove();
        Assert.Equal(500, Sweep().Length);
        Add(Tag1());
        _plant.Set(1, 2);
        Assert.Equal(500, Sweep().Count(value => value.Value.AsDouble() == 2));
    }

    private void SetMode(uint item, MonitoringMode mode) => Assert.Equal(
        StatusCode.Good,
        Assert.Single(_client.Session.SetMonitoringMode(new SetMonitoringModeRequest
        {
            SubscriptionId = _subscription,
            MonitoringMode = mode,
            MonitoredItemIds = [item],
        }).Results!));
}
