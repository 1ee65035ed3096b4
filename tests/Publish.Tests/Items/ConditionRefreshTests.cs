using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Items;

/// <summary>ConditionRefresh, from the call to the messages. Source: Part 9 §4.5, §5.5.7, §5.11.4.</summary>
public sealed class ConditionRefreshTests : IAsyncLifetime, IAsyncDisposable
{
    private const uint Upstream = 200;

    private static readonly SessionOwner Alice = new("UserName:alice", false, "urn:a", true);

    private readonly PublishFixture _plant = new(shards: 2);
    private readonly TestClient _client;
    private readonly TestClient _other;
    private readonly uint _subscription;

    public ConditionRefreshTests()
    {
        var batch = new NodeBatch();
        foreach (var id in new[] { new NodeId(StandardIds.Objects.Server), new NodeId(Upstream, 1) })
        {
            batch.AddNode(new NodeDefinition
            {
                NodeId = id,
                NodeClass = NodeClass.Object,
                BrowseName = new QualifiedName($"Object{id.Numeric}"),
                EventNotifier = EventNotifierType.SubscribeToEvents,
                HasOwnEvents = true,
            });
        }

        _plant.Nodes.Apply(batch);
        _client = _plant.OpenClient(Alice);
        _other = _plant.OpenClient(Alice);
        _subscription = _client.Subscribe();
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Fact]
    public void Refresh_SomeRetained_BringsThemBetweenItsBracketAndToThisSubscriptionAlone()
    {
        Report(1);
        Report(2);
        Report(3);
        Report(2, isActive: false);
        Acknowledge(2);
        Watch(_client, _subscription);
        var others = _client.Subscribe();
        Watch(_client, others);
        Watch(_other, _other.Subscribe());

        Assert.Equal(StatusCode.Good, _client.Session.RefreshConditions(_subscription, null));

        Assert.Equal(["start", "1", "3", "end"], Told(_client));
        Assert.Empty(Told(_other));
    }

    [Fact]
    public void Refresh_SeveralItems_HaveTheSameStartAndEnd()
    {
        Report(1);
        Watch(_client, _subscription);
        Watch(_client, _subscription, on: Upstream);
        _client.Session.RefreshConditions(_subscription, null);
        var told = Fields(_client);
        Assert.Equal(["start", "1", "end", "start", "end"], told.Select(NameOf));
        Assert.Equal(told[0][0].AsByteString(), told[3][0].AsByteString());
        Assert.Equal(told[2][0].AsByteString(), told[4][0].AsByteString());
        Assert.NotEqual(told[0][0].AsByteString(), told[2][0].AsByteString());
    }

    [Fact]
    public void Refresh2_OneItem_LeavesTheOthersAlone()
    {
        Report(1);
        Watch(_client, _subscription);
        var item = Watch(_client, _subscription, on: Upstream);
        Assert.Equal(StatusCode.Good, _client.Session.RefreshConditions(_subscription, item));
        Assert.Equal(["start", "end"], Told(_client));
    }

    [Fact]
    public void Refresh_Filter_LetsItsConditionsAndTheBracketPass()
    {
        for (var number = 1; number <= 5; number++)
            Report(number, severity: (ushort)(100 * number));
        Watch(_client, _subscription, above: 300);
        _client.Session.RefreshConditions(_subscription, null);
        Assert.Equal(["start", "4", "5", "end"], Told(_client));
    }

    [Fact]
    public void Refresh_BranchLeftBehind_ComesWithThePresentState()
    {
        Report(1);
        Report(1, isActive: false);
        Report(1);
        Watch(_client, _subscription);
        _client.Session.RefreshConditions(_subscription, null);
        var told = Fields(_client);
        Assert.Equal(4, told.Count);
        Assert.Single(told[1..3], static one => one[2].AsNodeId().IsNull);
    }

    [Fact]
    public void Refresh_MoreThanTheQueueHolds_LosesNoneAndNeedsOneCycle()
    {
        for (var number = 1; number <= 1000; number++)
            Report(number);
        Watch(_client, _subscription, queueSize: 10);
        _client.Session.RefreshConditions(_subscription, null);
        for (var i = 0; i < 100; i++)
            _client.Publish();
        _plant.Advance(150);
        var told = Names(_client.All());
        // Half of the queue a message, and all messages in one publishing interval.
        Assert.Equal(500, told.Count);
        Assert.Equal("start", told[0]);
        for (var i = 0; i < 110; i++)
            told.AddRange(Told(_client, 10));
        Assert.Equal(
            ["start", .. Enumerable.Range(1, 1000).Select(static one => $"{one}"), "end"], told);
    }

    /// <summary>The newest of a condition stands behind all others of it.</summary>
    [Fact]
    public void Refresh_EventsOfMeanwhile_AreNotOvertakenByOlderOnes()
    {
        for (var number = 1; number <= 50; number++)
            Report(number);
        Watch(_client, _subscription, queueSize: 10);
        _client.Session.RefreshConditions(_subscription, null);
        var told = new List<Variant[]>();
        told.AddRange(Fields(_client));
        for (var number = 1; number <= 50; number += 7)
            Report(number, severity: 900);
        for (var i = 0; i < 50; i++)
            told.AddRange(Fields(_client));
        Assert.Equal("end", NameOf(told[^1]));
        foreach (var condition in told.GroupBy(NameOf).Where(static one => char.IsDigit(one.Key[0])))
        {
            var number = int.Parse(condition.Key, System.Globalization.CultureInfo.InvariantCulture);
            Assert.Equal(number % 7 == 1 ? 900 : 500, condition.Last()[3].AsInt32());
        }
    }

    [Fact]
    public void Refresh_WrongThings_HaveTheirCodes()
    {
        Assert.Equal(StatusCodes.BadNothingToDo, Refresh(_client));
        var data = _client.Monitor(_subscription, 1);
        Assert.Equal(StatusCodes.BadNothingToDo, Refresh(_client));
        Assert.Equal(StatusCodes.BadMonitoredItemIdInvalid, Refresh(_client, data));
        Assert.Equal(StatusCodes.BadMonitoredItemIdInvalid, Refresh(_client, 9999));
        Watch(_client, _subscription);
        Assert.Equal(StatusCodes.BadSubscriptionIdInvalid, Refresh(_other));
        Assert.Equal(StatusCodes.BadSubscriptionIdInvalid, _client.Session.RefreshConditions(1, null).Code);
        Assert.Equal(0, _plant.Engine.RefreshService.Open);
    }

    [Fact]
    public void Refresh_UnderWay_RefusesASecondUntilItHasEnded()
    {
        Report(1);
        var item = Watch(_client, _subscription);
        Assert.Equal(StatusCodes.Good, Refresh(_client));
        Assert.Equal(StatusCodes.BadRefreshInProgress, Refresh(_client));
        Assert.Equal(StatusCodes.BadRefreshInProgress, Refresh(_client, item));
        Assert.Equal(1, _plant.Engine.RefreshService.Open);
        Assert.Equal(["start", "1", "end"], Told(_client));
        Assert.Equal(0, _plant.Engine.RefreshService.Open);
        Assert.Equal(StatusCodes.Good, Refresh(_client));
    }

    [Theory]
    [InlineData("delete item")]
    [InlineData("delete subscription")]
    [InlineData("sampling")]
    [InlineData("disabled")]
    [InlineData("filter")]
    public void Refresh_CutShort_IsOver(string how)
    {
        for (var number = 1; number <= 100; number++)
            Report(number);
        var item = Watch(_client, _subscription, queueSize: 10);
        Assert.Equal(StatusCodes.Good, Refresh(_client));
        _plant.Advance(0);
        Assert.Equal(1, _plant.Engine.RefreshService.Open);
        switch (how)
        {
            case "delete item":
                _client.DeleteItem(_subscription, item);
                break;
            case "delete subscription":
                _client.Delete(_subscription);
                break;
            case "filter":
                Modify(item);
                break;
            default:
                SetMode(item, how == "sampling" ? MonitoringMode.Sampling : MonitoringMode.Disabled);
                break;
        }

        _plant.Advance(0);
        Assert.Equal(0, _plant.Engine.RefreshService.Open);
    }

    [Fact]
    public void Refresh_OfAnItemThatIsCutByItsMode_IsAskedForAgain()
    {
        for (var number = 1; number <= 20; number++)
            Report(number);
        var item = Watch(_client, _subscription, queueSize: 10);
        Refresh(_client);
        _plant.Advance(0);
        SetMode(item, MonitoringMode.Sampling);
        SetMode(item, MonitoringMode.Reporting);
        Assert.Equal("required", Told(_client)[^1]);
    }

    /// <summary>Without any event to come.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Refresh_CutWithAnEmptyQueue_IsAskedForAgain(bool byFilter)
    {
        for (var number = 1; number <= 20; number++)
            Report(number);
        var item = Watch(_client, _subscription, queueSize: 10);
        Refresh(_client);
        Told(_client, 100);
        var feed = _client.Session.Find(_subscription)!.Items.GetValueOrDefault(item)!.ExtrasOrNull!.Event!.Feed;
        Assert.NotNull(feed);
        if (byFilter)
        {
            Modify(item);
        }
        else
        {
            SetMode(item, MonitoringMode.Sampling);
            SetMode(item, MonitoringMode.Reporting);
        }

        Assert.Equal("required", Told(_client)[^1]);
        Assert.Empty(Told(_client));
    }

    [Fact]
    public void Refresh_Transferred_GoesOnAtTheOtherSession()
    {
        for (var number = 1; number <= 30; number++)
            Report(number);
        Watch(_client, _subscription, queueSize: 10);
        Refresh(_client);
        _plant.Advance(0);
        Assert.Equal(StatusCode.Good, _other.Transfer(_subscription).StatusCode);
        var told = new List<string>();
        for (var i = 0; i < 20; i++)
            told.AddRange(Told(_other));
        Assert.Equal(["start", .. Enumerable.Range(1, 30).Select(static one => $"{one}"), "end"], told);
    }

    [Fact]
    public void Refresh_SourceThatTheUserMayNotHaveEventsOf_LeavesItsConditionsOut()
    {
        Restrict();
        Report(1);
        Report(2, source: new NodeId(Upstream, 1));
        Watch(_client, _subscription);
        Watch(_other, _other.Subscribe());
        _client.NoEvents.Add(_plant.Handle(Upstream));
        Refresh(_client);
        Assert.Equal(["start", "1", "end"], Told(_client));
        _client.NoEvents.Clear();
        Refresh(_client);
        Assert.Equal(["start", "1", "2", "end"], Told(_client));
    }

    [Fact]
    public void Overflow_WithConditions_AsksForARefreshOnceTheQueueIsEmpty()
    {
        Watch(_client, _subscription, queueSize: 10);
        for (var number = 1; number <= 12; number++)
            Report(number);
        var told = Told(_client);
        Assert.Equal("overflow", told[0]);
        Assert.Equal("required", told[^1]);
        Assert.Equal(12, told.Count);
        Report(13);
        Assert.Equal(["13"], Told(_client));
    }

    [Fact]
    public void Overflow_DiscardingTheNewest_AsksToo()
    {
        Watch(_client, _subscription, queueSize: 10, discardOldest: false);
        for (var number = 1; number <= 12; number++)
            Report(number);
        Assert.Equal(["overflow", "required"], Told(_client)[^2..]);
    }

    [Fact]
    public void Overflow_OfTheShard_AsksToo()
    {
        Watch(_client, _subscription, queueSize: 1000);
        for (var number = 1; number <= 10_001; number++)
            Report(1, severity: (ushort)(number % 1000 + 1));
        Assert.Equal("required", Told(_client)[^1]);
    }

    [Fact]
    public void Overflow_OfOtherEvents_AsksForNothing()
    {
        Watch(_client, _subscription, queueSize: 10);
        for (var i = 0; i < 12; i++)
        {
            _plant.Engine.Events.Raise(_plant.Engine.Events.Maker.Make(
                Gateway.Events.Model.StandardEvents.SystemEvent, default, "Server", "event", 300));
        }

        Assert.DoesNotContain("required", Told(_client));
        Assert.Empty(Told(_client));
    }

    private uint Refresh(TestClient client, uint? item = null) =>
        client.Session.RefreshConditions(_subscription, item).Code;

    private void Report(int number, bool isActive = true, ushort severity = 500, NodeId source = default) =>
        _plant.Engine.Conditions.Report(
            new ConditionDefinition
            {
                ConditionId = new NodeId((uint)number, 1),
                Layout = ConditionLayouts.SystemOffNormal,
                ConditionName = $"{number}",
                Source = source,
                SourceName = $"{number}",
            },
            isActive, severity, "off");

    private void Acknowledge(int number)
    {
        var id = new NodeId((uint)number, 1);
        var report = _plant.Engine.Conditions.Read(retainedOnly: true).Single(one => one.ConditionId == id);
        Assert.Equal(StatusCode.Good, _plant.Engine.Conditions.Call(
            id, new ConditionCall(ConditionAct.Acknowledge, null) { EventId = report.EventId }));
    }

    private void Restrict() => _plant.Nodes.Apply(new NodeBatch().Update(
        _plant.Handle(Upstream), new NodeDefinition
        {
            NodeId = new NodeId(Upstream, 1),
            NodeClass = NodeClass.Object,
            BrowseName = new QualifiedName("Object200"),
            RolePermissions = [new RolePermissionType { RoleId = new NodeId(15680) }],
        }));

    private void SetMode(uint item, MonitoringMode mode) => _client.Session.SetMonitoringMode(
        new SetMonitoringModeRequest
        {
            SubscriptionId = _subscription,
            MonitoringMode = mode,
            MonitoredItemIds = [item],
        });

    private void Modify(uint item) => _client.Session.ModifyMonitoredItems(new ModifyMonitoredItemsRequest
    {
        SubscriptionId = _subscription,
        ItemsToModify =
        [
            new MonitoredItemModifyRequest
            {
                MonitoredItemId = item,
                RequestedParameters = Request(StandardIds.Objects.Server, 10, true, 7).RequestedParameters,
            },
        ],
    });

    private static uint Watch(
        TestClient client, uint subscription, uint on = StandardIds.Objects.Server, uint queueSize = 1000,
        bool discardOldest = true, int above = 0)
    {
        var result = client.TryMonitor(subscription, Request(on, queueSize, discardOldest, above));
        Assert.Equal(StatusCode.Good, result.StatusCode);
        return result.MonitoredItemId;
    }

    private static MonitoredItemCreateRequest Request(uint on, uint queueSize, bool discardOldest, int above)
    {
        var request = TestClient.Item(
            on, queueSize, discardOldest, attribute: AttributeId.EventNotifier, filter: new EventFilter
            {
                SelectClauses =
                [
                    Clause("EventId"), Clause("EventType"), Clause("BranchId"), Clause("Severity"),
                    Clause("SourceName"),
                ],
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
        return on == Upstream ? request : request with
        {
            ItemToMonitor = request.ItemToMonitor with { NodeId = new NodeId(on) },
        };
    }

    private static SimpleAttributeOperand Clause(string name) => new()
    {
        TypeDefinitionId = new NodeId(StandardIds.ObjectTypes.BaseEventType),
        BrowsePath = [new QualifiedName(name)],
        AttributeId = (uint)AttributeId.Value,
    };

    private List<string> Told(TestClient client, double milliseconds = 200)
    {
        client.All();
        client.Publish();
        _plant.Advance(milliseconds);
        return Names(client.All());
    }

    private List<Variant[]> Fields(TestClient client)
    {
        client.All();
        client.Publish();
        _plant.Advance(200);
        return Fields(client.All());
    }

    private static List<string> Names(List<Answer> answers) => [.. Fields(answers).Select(NameOf)];

    private static List<Variant[]> Fields(List<Answer> answers) =>
    [
        .. answers.Where(static one => one.Response is not null)
            .SelectMany(static one => one.Response!.NotificationMessage.NotificationData ?? [])
            .Select(static one => one.Body).OfType<EventNotificationList>()
            .SelectMany(static list => list.Events!).Select(static one => one.EventFields!),
    ];

    private static string NameOf(Variant[] fields) => fields[1].AsNodeId().Numeric switch
    {
        StandardIds.ObjectTypes.RefreshStartEventType => "start",
        StandardIds.ObjectTypes.RefreshEndEventType => "end",
        StandardIds.ObjectTypes.RefreshRequiredEventType => "required",
        StandardIds.ObjectTypes.EventQueueOverflowEventType => "overflow",
        _ => fields[4].AsString()!,
    };
}
