using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Model;
using Gateway.Publish.Items;
using Gateway.Publish.Tests.Support;
using Gateway.Testing;

namespace Gateway.Publish.Tests.Items;

/// <summary>Items on EventNotifier, from the filter to the message. Source: Part 4 §5.13.1, §7.22.3.</summary>
public sealed class EventItemTests : IAsyncLifetime, IAsyncDisposable
{
    private const uint Notifier = 100;
    private const uint Below = 101;
    private const uint Source = 102;
    private const uint Beside = 103;

    private static readonly SessionOwner Alice = new("UserName:alice", false, "urn:a", true);

    private readonly PublishFixture _plant = new(shards: 2);
    private readonly TestClient _client;
    private readonly TestClient _other;
    private readonly uint _subscription;
    private MonitoredItem?[]? _items;

    /// <summary>Notifier → Below → Source, and Beside.</summary>
    public EventItemTests()
    {
        var batch = new NodeBatch();
        foreach (var (id, isNotifier) in new[] { (Notifier, true), (Below, true), (Source, false), (Beside, true) })
        {
            batch.AddNode(new NodeDefinition
            {
                NodeId = new NodeId(id, 1),
                NodeClass = NodeClass.Object,
                BrowseName = new QualifiedName($"Object{id}", 1),
                EventNotifier = isNotifier ? EventNotifierType.SubscribeToEvents : EventNotifierType.None,
                HasOwnEvents = isNotifier,
            });
        }

        foreach (var (id, super) in new[] { (36u, 0u), (48u, 36u) })
        {
            batch.AddNode(new NodeDefinition
            {
                NodeId = new NodeId(id),
                NodeClass = NodeClass.ReferenceType,
                BrowseName = new QualifiedName($"Type{id}"),
            });
            if (super != 0)
                batch.AddReference(new NodeId(super), new NodeId(45), new NodeId(id));
        }

        batch.AddNode(new NodeDefinition
        {
            NodeId = new NodeId(StandardIds.Objects.Server),
            NodeClass = NodeClass.Object,
            BrowseName = new QualifiedName("Server"),
            EventNotifier = EventNotifierType.SubscribeToEvents,
            HasOwnEvents = true,
        });
        batch.AddNode(new NodeDefinition
        {
            NodeId = new NodeId(45),
            NodeClass = NodeClass.ReferenceType,
            BrowseName = new QualifiedName("HasSubtype"),
        });
        batch.AddReference(new NodeId(Notifier, 1), new NodeId(48), new NodeId(Below, 1));
        batch.AddReference(new NodeId(Below, 1), new NodeId(36), new NodeId(Source, 1));
        _plant.Nodes.Apply(batch);
        _client = _plant.OpenClient(Alice);
        _other = _plant.OpenClient(Alice);
        _subscription = _client.Subscribe();
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Theory]
    [InlineData(Notifier, true)]
    [InlineData(Below, true)]
    [InlineData(Beside, false)]
    public void Raise_SourceBelow_ReachesItsNotifiersAndNoOthers(uint on, bool expected)
    {
        Watch(on);
        Raise(1);
        Assert.Equal(expected ? [1] : [], Events());
    }

    [Fact]
    public void Raise_AnySource_ReachesTheServerObject()
    {
        var item = EventRequest(0);
        item = item with
        {
            ItemToMonitor = item.ItemToMonitor with { NodeId = new NodeId(StandardIds.Objects.Server) },
        };
        Assert.Equal(StatusCode.Good, _client.TryMonitor(_subscription, item).StatusCode);
        Raise(1);
        Raise(2, on: Beside);
        Assert.Equal([1, 2], Events());
    }

    [Fact]
    public void Raise_Filter_LetsOnlyItsEventsPass()
    {
        Watch(Below, above: 5);
        Raise(5);
        Raise(6);
        Assert.Equal([6], Events());
    }

    [Theory]
    [InlineData(true, "! 3 4 5 6 7 8 9 10 11 12")]
    [InlineData(false, "1 2 3 4 5 6 7 8 9 12 !")]
    public void Raise_QueueFull_OneNoticeBesideIt(bool discardOldest, string expected)
    {
        Watch(Below, queueSize: 1, discardOldest: discardOldest, above: 0);
        for (var severity = 1; severity <= 12; severity++)
            Raise(severity);
        Assert.Equal(expected, string.Join(' ', Told().Select(one => one.IsNotice ? "!" : $"{one.Severity}")));
        // The episode is over.
        Raise(13);
        Assert.Equal([13], Events());
    }

    [Fact]
    public void Raise_MoreThanTheShardTakes_EachItemSaysSo()
    {
        Watch(Below, queueSize: 1000);
        for (var severity = 1; severity <= 10_001; severity++)
            Raise(severity % 1000 + 1);
        var told = Told();
        Assert.Single(told, one => one.IsNotice);
        Assert.True(told[0].IsNotice);
    }

    [Fact]
    public void Create_QueueSizes_AreRevised()
    {
        Assert.Equal([100u, 10u, 10u, 50u, 1000u], new uint[] { 0, 1, 10, 50, uint.MaxValue }.Select(size =>
            _client.TryMonitor(_subscription, EventRequest(Below, queueSize: size)).RevisedQueueSize));
        Assert.Equal(0, _client.TryMonitor(_subscription, EventRequest(Below)).RevisedSamplingInterval);
    }

    [Fact]
    public void Create_WrongThings_HaveTheirCodes()
    {
        Assert.Equal(StatusCodes.BadNotSupported, CodeOf(EventRequest(Source)));
        Assert.Equal(StatusCodes.BadMonitoredItemFilterInvalid, CodeOf(
            TestClient.Item(Below, attribute: AttributeId.EventNotifier)));
        Assert.Equal(StatusCodes.BadFilterNotAllowed, CodeOf(TestClient.Item(
            Below, attribute: AttributeId.EventNotifier, filter: new DataChangeFilter())));
        Assert.Equal(StatusCodes.BadFilterNotAllowed, CodeOf(TestClient.Item(1, filter: new EventFilter())));
        var invalid = TestClient.Item(
            Below, attribute: AttributeId.EventNotifier, filter: new EventFilter { SelectClauses = [Clause("")] });
        var result = _client.TryMonitor(_subscription, invalid);
        Assert.Equal(StatusCodes.BadEventFilterInvalid, result.StatusCode.Code);
        Assert.IsType<EventFilterResult>(result.FilterResult.Body);
        Assert.Equal(0, _plant.Engine.Events.FilterCount);
    }

    [Fact]
    public void Create_EqualFilters_AreOneUntilTheLastItemGoes()
    {
        var first = Watch(Below);
        var second = Watch(Notifier);
        Watch(Below, above: 3);
        Assert.Equal(2, _plant.Engine.Events.FilterCount);
        _client.DeleteItem(_subscription, first);
        Assert.Equal(2, _plant.Engine.Events.FilterCount);
        _client.DeleteItem(_subscription, second);
        Assert.Equal(1, _plant.Engine.Events.FilterCount);
        _client.Delete(_subscription);
        Assert.Equal(0, _plant.Engine.Events.FilterCount);
    }

    [Fact]
    public void Modify_Filter_CountsFromThen()
    {
        var item = Watch(Below, above: 5);
        Raise(6);
        Modify(item, above: 2);
        Raise(3);
        Assert.Equal([6, 3], Events());
        Assert.Equal(1, _plant.Engine.Events.FilterCount);
    }

    /// <summary>In a burst: the item has what was raised by then, once, and the request brings it to no other item.
    /// </summary>
    [Fact]
    public void Modify_FilterInABurst_BringsTheItemItsOwnAlone()
    {
        const int Burst = 40;
        var item = Watch(Below, above: 5);
        // The same group, and another subscription.
        var others = _client.Subscribe();
        var beside = _client.TryMonitor(others, EventRequest(Below, above: 5)).MonitoredItemId;
        _plant.Advance(0);
        for (var i = 0; i < Burst; i++)
            Raise(6);

        Modify(item, above: 2);

        Assert.Equal(Burst, QueueOf(_subscription, item));
        Assert.Equal(0, QueueOf(others, beside));
        Raise(3);
        _plant.Advance(0);
        Assert.Equal(Burst + 1, QueueOf(_subscription, item));
        Assert.Equal(Burst, QueueOf(others, beside));
    }

    private int QueueOf(uint subscription, uint item) =>
        _client.Session.Find(subscription)!.Items.GetValueOrDefault(item)!.Queue.Count;

    private void Modify(uint item, int above)
    {
        var response = _client.Session.ModifyMonitoredItems(new ModifyMonitoredItemsRequest
        {
            SubscriptionId = _subscription,
            TimestampsToReturn = TimestampsToReturn.Neither,
            ItemsToModify =
            [
                new MonitoredItemModifyRequest
                {
                    MonitoredItemId = item,
                    RequestedParameters = EventRequest(Below, above: above).RequestedParameters,
                },
            ],
        });
        Assert.Equal(StatusCode.Good, Assert.Single(response.Results!).StatusCode);
    }

    [Fact]
    public void SetMode_DisabledAndSampling_DropsAndKeeps()
    {
        var item = Watch(Below);
        SetMode(item, MonitoringMode.Disabled);
        Raise(1);
        SetMode(item, MonitoringMode.Sampling);
        Raise(2);
        Assert.Empty(Events());
        SetMode(item, MonitoringMode.Reporting);
        Raise(3);
        Assert.Equal([2, 3], Events());
    }

    [Fact]
    public void Transfer_WithQueuedEvents_LosesAndRepeatsNone()
    {
        Watch(Below);
        Raise(1);
        _plant.Advance(0);
        // On its way: the old shard has it in its inbox.
        Raise(2);
        Assert.Equal(StatusCode.Good, _other.Transfer(_subscription).StatusCode);
        Raise(3);
        Assert.Equal([1, 2, 3], Events(_other));
    }

    [Fact]
    public void Raise_SourceThatTheUserMayNotHaveEventsOf_DoesNotArrive()
    {
        Watch(Below);
        Restrict(Source);
        _client.NoEvents.Add(_plant.Handle(Source));
        Raise(1);
        Raise(2, on: Below);
        Assert.Equal([2], Events());
    }

    [Fact]
    public void Transfer_ToAUserWhoMayNotHaveThem_DropsTheQueuedOnes()
    {
        Watch(Below);
        Restrict(Source);
        Raise(1);
        Raise(2, on: Below);
        _plant.Advance(0);
        _other.NoEvents.Add(_plant.Handle(Source));
        Assert.Equal(StatusCode.Good, _other.Transfer(_subscription).StatusCode);
        Assert.Equal([2], Events(_other));
    }

    [Fact]
    public void Create_NotifierThatTheUserMayNotHaveEventsOf_IsDenied()
    {
        _client.NoEvents.Add(_plant.Handle(Below));
        Assert.Equal(StatusCodes.BadUserAccessDenied, CodeOf(EventRequest(Below)));
    }

    [Fact]
    public void Raise_ForManyItems_AllocatesNothing()
    {
        for (var i = 0; i < 10; i++)
            Watch(Below, queueSize: 100);
        var record = Make(7, Source);
        for (var i = 0; i < 200; i++)
            RaiseAndDrop(record);
        Assert.Equal(0, Allocations.OfThousand(() => RaiseAndDrop(record)));
    }

    private void RaiseAndDrop(EventRecord record)
    {
        _plant.Engine.Events.Raise(record);
        var shard = _client.Session.Shard;
        lock (shard.Lock)
        {
            while (shard.Events.StepUnderLock())
            {
            }

            foreach (var item in _items ??= _client.Session.Find(_subscription)!.Items.CopySlots())
                item?.Queue.Clear();
        }
    }

    private void Restrict(uint node) => _plant.Nodes.Apply(new NodeBatch().Update(
        _plant.Handle(node), new NodeDefinition
        {
            NodeId = new NodeId(node, 1),
            NodeClass = NodeClass.Object,
            BrowseName = new QualifiedName($"Object{node}", 1),
            RolePermissions = [new RolePermissionType { RoleId = new NodeId(15680) }],
        }));

    private void SetMode(uint item, MonitoringMode mode)
    {
        _plant.Advance(0);
        _client.Session.SetMonitoringMode(new SetMonitoringModeRequest
        {
            SubscriptionId = _subscription,
            MonitoringMode = mode,
            MonitoredItemIds = [item],
        });
    }

    private uint CodeOf(MonitoredItemCreateRequest request) =>
        _client.TryMonitor(_subscription, request).StatusCode.Code;

    private uint Watch(uint node, uint queueSize = 100, bool discardOldest = true, int above = 0)
    {
        var result = _client.TryMonitor(_subscription, EventRequest(node, queueSize, discardOldest, above));
        Assert.Equal(StatusCode.Good, result.StatusCode);
        return result.MonitoredItemId;
    }

    private static MonitoredItemCreateRequest EventRequest(
        uint node, uint queueSize = 100, bool discardOldest = true, int above = 0) => TestClient.Item(
            node, queueSize, discardOldest, attribute: AttributeId.EventNotifier, filter: new EventFilter
            {
                SelectClauses = [Clause("Severity"), Clause("SourceName")],
                WhereClause = new ContentFilter
                {
                    Elements =
                    [
                        new ContentFilterElement
                        {
                            FilterOperator = FilterOperator.GreaterThan,
                            FilterOperands =
                            [
                                new ExtensionObject(Clause("Severity")),
                                new ExtensionObject(new LiteralOperand { Value = new Variant(above) }),
                            ],
                        },
                    ],
                },
            });

    private static SimpleAttributeOperand Clause(string name) => new()
    {
        TypeDefinitionId = new NodeId(StandardIds.ObjectTypes.BaseEventType),
        BrowsePath = [new QualifiedName(name)],
        AttributeId = (uint)AttributeId.Value,
    };

    private EventRecord Make(int severity, uint on) => _plant.Engine.Events.Maker.Make(
        StandardEvents.SystemEvent, _plant.Handle(on), null, "event", (ushort)severity);

    private void Raise(int severity, uint on = Source) => _plant.Engine.Events.Raise(Make(severity, on));

    private int[] Events(TestClient? client = null) => [.. Told(client).Select(one => one.Severity)];

    /// <summary>All that the next message tells.</summary>
    private List<(int Severity, bool IsNotice)> Told(TestClient? client = null)
    {
        client ??= _client;
        client.All();
        client.Publish();
        _plant.Advance(200);
        var data = client.All().Where(one => one.Response is not null)
            .SelectMany(one => one.Response!.NotificationMessage.NotificationData ?? []);
        return
        [
            .. data.Select(one => one.Body).OfType<EventNotificationList>().SelectMany(list => list.Events!).Select(
                one =>
                (one.EventFields![0].AsInt32(), one.EventFields![1].AsString() == "Internal/EventQueueOverflow")),
        ];
    }
}
