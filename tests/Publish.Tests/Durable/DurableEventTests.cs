using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Model;
using Gateway.Publish.Tests.Support;
using Gateway.Store.Tests;

namespace Gateway.Publish.Tests.Durable;

/// <summary>Events of durable subscriptions over a restart. Source: Part 4 §6.8, Part 9 §4.5.</summary>
public sealed class DurableEventTests : IAsyncLifetime, IAsyncDisposable
{
    private const uint Source = 100;

    private readonly DurablePlant _before = new();
    private readonly TestClient _client;
    private readonly uint _subscription;

    public DurableEventTests()
    {
        AddNodes(_before);
        _client = _before.Plant.OpenClient(DurablePlant.Alice);
        _subscription = _before.Subscribe(_client);
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _before.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Fact]
    public void Create_Durable_HasTheLongerQueue() =>
        Assert.Equal(5_000u, _client.TryMonitor(_subscription, Request(queueSize: 5_000)).RevisedQueueSize);

    [Fact]
    public async Task Restart_InOrder_EventsComeInOrderAndThoseOfAfterPassTheSameFilter()
    {
        Watch(above: 10);
        Raise(_before, 5, 11, 12);
        Assert.Equal(["11", "12"], Told(_before, _client));
        _client.Session.Close(deleteSubscriptions: true, deleteDurable: false);
        Raise(_before, 13, 7, 14);

        await using var after = await _before.RestartAsync();
        AddNodes(after);
        after.Saver.Save();
        var client = after.Plant.OpenClient(DurablePlant.Alice);
        Assert.Equal(StatusCode.Good, client.Transfer(_subscription).StatusCode);
        Raise(after, 8, 15);
        // Nobody has seen how conditions changed meanwhile.
        Assert.Equal(["13", "14", "15", "required"], Told(after, client));
        Raise(after, 16);
        Assert.Equal(["16"], Told(after, client));
    }

    [Fact]
    public async Task Restart_NodeIsNotThereYet_EventsWaitForIt()
    {
        Watch();
        Raise(_before, 1, 2);
        await using var after = await _before.RestartAsync();
        var client = after.Plant.OpenClient(DurablePlant.Alice);
        client.Transfer(_subscription);
        Assert.Empty(Told(after, client));

        AddNodes(after);
        after.Saver.Save();
        Assert.Equal(["1", "2", "required"], Told(after, client));
    }

    [Fact]
    public async Task Kill_EventsOfTheLastSave_AreThere()
    {
        Watch();
        Raise(_before, 1, 2);
        _before.Plant.Advance(1);
        _before.Saver.Save();
        Raise(_before, 3);
        await using var after = _before.Next();
        AddNodes(after);
        after.Saver.Save();
        var client = after.Plant.OpenClient(DurablePlant.Alice);
        client.Transfer(_subscription);
        Assert.Equal(["1", "2", "required"], Told(after, client));
    }

    [Fact]
    public async Task Restart_EventsWereLost_IsStillTold()
    {
        Watch(queueSize: 10);
        Raise(_before, [.. Enumerable.Range(1, 12)]);
        await using var after = await _before.RestartAsync();
        AddNodes(after);
        after.Saver.Save();
        var client = after.Plant.OpenClient(DurablePlant.Alice);
        client.Transfer(_subscription);
        Assert.Equal(
            ["overflow", .. Enumerable.Range(3, 10).Select(static i => $"{i}"), "required"], Told(after, client));
    }

    /// <summary>R16, R36: another process does not forget whose events are in the queue.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Restart_GuardedEvents_ComeOnlyWhereTheUserMayHaveThem(bool isAllowed)
    {
        Watch();
        Restrict(_before);
        Raise(_before, 1);
        RaiseOf(_before, Source, 2);
        Raise(_before, 3);
        _client.Session.Close(deleteSubscriptions: true, deleteDurable: false);

        await using var after = await _before.RestartAsync();
        AddNodes(after);
        Restrict(after);
        after.Saver.Save();
        var client = after.Plant.OpenClient(DurablePlant.Alice);
        if (!isAllowed)
            client.NoEvents.Add(after.Plant.Handle(Source));
        client.Transfer(_subscription);
        Assert.Equal(isAllowed ? ["1", "2", "3", "required"] : ["1", "3", "required"], Told(after, client));
    }

    /// <summary>As long as the upstream of the source has not come, nobody can say who may have its events.</summary>
    [Fact]
    public async Task Restart_GuardedSourceIsNotThere_ItsEventsAreDroppedAndTheLossIsTold()
    {
        Watch();
        Restrict(_before);
        RaiseOf(_before, Source, 2);
        Raise(_before, 3);
        _client.Session.Close(deleteSubscriptions: true, deleteDurable: false);

        await using var first = await _before.RestartAsync();
        await using var after = await first.RestartAsync();
        AddNodes(after, StandardIds.Objects.Server);
        after.Saver.Save();
        var client = after.Plant.OpenClient(DurablePlant.Alice);
        client.Transfer(_subscription);
        Assert.Equal(["overflow", "3", "required"], Told(after, client));
    }

    /// <summary>The limit was lowered, or another client has the places: not in silence.</summary>
    [Fact]
    public async Task Restart_NoRoomForTheFilter_IsCounted()
    {
        Watch();
        Watch(above: 10);
        _client.Session.Close(deleteSubscriptions: true, deleteDurable: false);
        await _before.Saver.DisposeAsync();

        await using var after = _before.Next(limits: PublishLimits.Default with
        {
            MaxEventFilters = 1,
        });
        Assert.Equal((1, 1), (after.Saver.Restored, after.Saver.LostItems));
        Assert.Equal(1, after.Find(_subscription).Items.Count);
    }

    /// <summary>R36: what was for all is not for all any more, and an entry does not say what it is about. The loss is
    /// told.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Restart_ModelHasOtherRules_EventsOfBeforeAreDropped(bool areOthers)
    {
        Watch();
        RaiseOf(_before, Source, 1);
        Raise(_before, 2);
        _client.Session.Close(deleteSubscriptions: true, deleteDurable: false);
        await _before.Saver.DisposeAsync();

        await using var after = new DurablePlant(_before.Disk.Copy(), isOpen: false);
        AddNodes(after);
        if (areOthers)
            after.Plant.Nodes.SetDefaultRule(1, new AccessRule([new RolePermissionType()], null));
        after.Saver.Save();
        after.Saver.Save();
        var client = after.Plant.OpenClient(DurablePlant.Alice);
        client.Transfer(_subscription);
        Assert.Equal(areOthers ? ["overflow", "required"] : ["1", "2", "required"], Told(after, client));
        Raise(after, 3);
        Assert.Equal(["3"], Told(after, client));
    }

    /// <summary>R36: an item that is gone has left its events in messages, and nobody can say of what they are.
    /// </summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Restart_ItemOfAKeptMessageIsGone_TheMessageComesByTheSameRulesAlone(bool areOthers)
    {
        var item = _client.TryMonitor(_subscription, Request()).MonitoredItemId;
        Raise(_before, 1);
        Assert.Equal(["1"], Told(_before, _client));
        Assert.Equal(StatusCode.Good, _client.DeleteItem(_subscription, item));
        _client.Session.Close(deleteSubscriptions: true, deleteDurable: false);
        await _before.Saver.DisposeAsync();

        await using var after = new DurablePlant(_before.Disk.Copy(), isOpen: false);
        AddNodes(after);
        if (areOthers)
            after.Plant.Nodes.SetDefaultRule(1, new AccessRule([new RolePermissionType()], null));
        after.Saver.Save();
        after.Saver.Save();
        var client = after.Plant.OpenClient(DurablePlant.Alice);
        var kept = client.Transfer(_subscription).AvailableSequenceNumbers!;
        Assert.Equal(areOthers ? 0 : 1, kept.Length);
    }

    /// <summary>There is no value that could stand in place of an event.</summary>
    [Fact]
    public async Task Enqueue_DiskHasNoRoom_TheLossIsTold()
    {
        await using var plant = new DurablePlant(
            limits: PublishLimits.Default with { MaxDurableBytesPerSubscription = 2_000 });
        AddNodes(plant);
        var client = plant.Plant.OpenClient(DurablePlant.Alice);
        var subscription = plant.Subscribe(client);
        client.TryMonitor(subscription, Request());
        plant.Plant.Engine.Events.Raise(plant.Plant.Engine.Events.Maker.Make(
            StandardEvents.SystemEvent, plant.Plant.Handle(Source), new string('x', 3_000), "words", 500));
        Assert.Equal(["overflow"], Told(plant, client));
        Raise(plant, 1);
        Assert.Equal(["1"], Told(plant, client));
        Assert.Equal(0, plant.Book.Bytes);
    }

    [Fact]
    public async Task Restart_FilterHasNoRoom_TheItemIsNotThereAndTheOthersAre()
    {
        Watch(above: 1);
        _client.Monitor(_subscription, 1, queueSize: 10);
        await using var after = new DurablePlant(
            (await StoppedAsync()).Copy(), PublishLimits.Default with { MaxEventFilters = 0 });
        Assert.Equal(1, after.Find(_subscription).Items.Count);
    }

    private static void AddNodes(DurablePlant plant, uint only = 0)
    {
        var batch = new NodeBatch();
        foreach (var id in new[] { new NodeId(StandardIds.Objects.Server), new NodeId(Source, 1) })
        {
            if (only != 0 && id.Numeric != only)
                continue;
            batch.AddNode(new NodeDefinition
            {
                NodeId = id,
                NodeClass = NodeClass.Object,
                BrowseName = new QualifiedName($"Object{id.Numeric}"),
                EventNotifier = EventNotifierType.SubscribeToEvents,
                HasOwnEvents = true,
            });
        }

        plant.Plant.Nodes.Apply(batch);
    }

    private static void Restrict(DurablePlant plant) => plant.Plant.Nodes.Apply(new NodeBatch().Update(
        plant.Plant.Handle(Source), new NodeDefinition
        {
            NodeId = new NodeId(Source, 1),
            NodeClass = NodeClass.Object,
            BrowseName = new QualifiedName($"Object{Source}"),
            EventNotifier = EventNotifierType.SubscribeToEvents,
            RolePermissions = [new RolePermissionType { RoleId = new NodeId(15680) }],
        }));

    /// <summary>The severity is the number.</summary>
    private static void Raise(DurablePlant plant, params int[] numbers)
    {
        foreach (var number in numbers)
            RaiseOf(plant, 0, number);
    }

    private static void RaiseOf(DurablePlant plant, uint source, int number)
    {
        var events = plant.Plant.Engine.Events;
        events.Raise(events.Maker.Make(
            StandardEvents.SystemEvent, source == 0 ? default : plant.Plant.Handle(source), $"{number}", "words",
            (ushort)number));
        plant.Plant.Advance(1);
    }

    private static List<string> Told(DurablePlant plant, TestClient client)
    {
        client.All();
        for (var i = 0; i < 20; i++)
            client.Publish();
        plant.Plant.Advance(200);
        return
        [
            .. client.All().Where(static one => one.Response is not null)
                .SelectMany(static one => one.Response!.NotificationMessage.NotificationData ?? [])
                .Select(static one => one.Body).OfType<EventNotificationList>()
                .SelectMany(static list => list.Events!).Select(static one => NameOf(one.EventFields!)),
        ];
    }

    private static string NameOf(Variant[] fields) => fields[0].AsNodeId().Numeric switch
    {
        StandardIds.ObjectTypes.RefreshRequiredEventType => "required",
        StandardIds.ObjectTypes.EventQueueOverflowEventType => "overflow",
        _ => fields[1].AsString()!,
    };

    private static MonitoredItemCreateRequest Request(uint queueSize = 1000, int above = 0)
    {
        var request = TestClient.Item(
            1, queueSize, true, attribute: AttributeId.EventNotifier, filter: new EventFilter
            {
                SelectClauses = [Clause("EventType"), Clause("SourceName")],
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
        return request with
        {
            ItemToMonitor = request.ItemToMonitor with { NodeId = new NodeId(StandardIds.Objects.Server) },
        };
    }

    private static SimpleAttributeOperand Clause(string name) => new()
    {
        TypeDefinitionId = new NodeId(StandardIds.ObjectTypes.BaseEventType),
        BrowsePath = [new QualifiedName(name)],
        AttributeId = (uint)AttributeId.Value,
    };

    private void Watch(uint queueSize = 1000, int above = 0) => Assert.Equal(
        StatusCode.Good, _client.TryMonitor(_subscription, Request(queueSize, above)).StatusCode);

    private async Task<MemoryFiles> StoppedAsync()
    {
        await _before.Saver.DisposeAsync();
        return _before.Disk;
    }
}
