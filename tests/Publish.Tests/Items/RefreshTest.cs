using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Items;

/// <summary>Two clients of one user, a server object and an object of an upstream, and the alarms that a test reports.
/// </summary>
public abstract class RefreshTest : IAsyncLifetime, IAsyncDisposable
{
    private protected const uint Upstream = 200;

    private protected static readonly SessionOwner Alice = new("UserName:alice", false, "urn:a", true);

    private protected readonly PublishFixture _plant;
    private protected readonly TestClient _client;
    private protected readonly TestClient _other;
    private protected readonly uint _subscription;

    protected RefreshTest(PublishLimits? limits = null)
    {
        _plant = new PublishFixture(limits: limits, shards: 2);
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

    public async ValueTask DisposeAsync()
    {
        await _plant.DisposeAsync();
        GC.SuppressFinalize(this);
    }

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();
    private protected uint Refresh(TestClient client, uint? item = null) =>
        client.Session.RefreshConditions(_subscription, item).Code;

    private protected void Report(int number, bool isActive = true, ushort severity = 500, NodeId source = default) =>
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

    private protected void Acknowledge(int number)
    {
        var id = new NodeId((uint)number, 1);
        var report = _plant.Engine.Conditions.Read(retainedOnly: true).Single(one => one.ConditionId == id);
        Assert.Equal(StatusCode.Good, _plant.Engine.Conditions.Call(
            id, new ConditionCall(ConditionAct.Acknowledge, null) { EventId = report.EventId }));
    }

    private protected void Restrict() => _plant.Nodes.Apply(new NodeBatch().Update(
        _plant.Handle(Upstream), new NodeDefinition
        {
            NodeId = new NodeId(Upstream, 1),
            NodeClass = NodeClass.Object,
            BrowseName = new QualifiedName("Object200"),
            RolePermissions = [new RolePermissionType { RoleId = new NodeId(15680) }],
        }));

    private protected void SetMode(uint item, MonitoringMode mode) => _client.Session.SetMonitoringMode(
        new SetMonitoringModeRequest
        {
            SubscriptionId = _subscription,
            MonitoringMode = mode,
            MonitoredItemIds = [item],
        });

    private protected void Modify(uint item, int above = 7)
    {
        var parameters = Request(StandardIds.Objects.Server, 10, true, above).RequestedParameters;
        _client.Session.ModifyMonitoredItems(new ModifyMonitoredItemsRequest
        {
            SubscriptionId = _subscription,
            ItemsToModify =
                [new MonitoredItemModifyRequest { MonitoredItemId = item, RequestedParameters = parameters }],
        });
    }

    private protected static uint Watch(
        TestClient client, uint subscription, uint on = StandardIds.Objects.Server, uint queueSize = 1000,
        bool discardOldest = true, int above = 0)
    {
        var result = client.TryMonitor(subscription, Request(on, queueSize, discardOldest, above));
        Assert.Equal(StatusCode.Good, result.StatusCode);
        return result.MonitoredItemId;
    }

    private protected static MonitoredItemCreateRequest Request(uint on, uint queueSize, bool discardOldest, int above)
    {
        var request = TestClient.Item(
            on, queueSize, discardOldest, attribute: AttributeId.EventNotifier, filter: new EventFilter
            {
                SelectClauses =
                [
                    Clause("EventId"), Clause("EventType"), Clause("BranchId"), Clause("Severity"),
                    Clause("SourceName"), Clause("Retain"),
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

    private protected static SimpleAttributeOperand Clause(string name) => new()
    {
        TypeDefinitionId = new NodeId(StandardIds.ObjectTypes.BaseEventType),
        BrowsePath = [new QualifiedName(name)],
        AttributeId = (uint)AttributeId.Value,
    };

    private protected List<string> Told(TestClient client, double milliseconds = 200)
    {
        client.All();
        client.Publish();
        _plant.Advance(milliseconds);
        return Names(client.All());
    }

    private protected List<Variant[]> Fields(TestClient client)
    {
        client.All();
        client.Publish();
        _plant.Advance(200);
        return Fields(client.All());
    }

    private protected static List<string> Names(List<Answer> answers) => [.. Fields(answers).Select(NameOf)];

    private protected static List<Variant[]> Fields(List<Answer> answers) =>
    [
        .. answers.Where(static one => one.Response is not null)
            .SelectMany(static one => one.Response!.NotificationMessage.NotificationData ?? [])
            .Select(static one => one.Body).OfType<EventNotificationList>()
            .SelectMany(static list => list.Events!).Select(static one => one.EventFields!),
    ];

    private protected static string NameOf(Variant[] fields) => fields[1].AsNodeId().Numeric switch
    {
        StandardIds.ObjectTypes.RefreshStartEventType => "start",
        StandardIds.ObjectTypes.RefreshEndEventType => "end",
        StandardIds.ObjectTypes.RefreshRequiredEventType => "required",
        StandardIds.ObjectTypes.EventQueueOverflowEventType => "overflow",
        _ => fields[4].AsString()!,
    };
}
