using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Model;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Items;

/// <summary>Audit events go to items on the Server object whose user may see them, and to no others. Source: Part 4
/// §6.5.</summary>
public sealed class AuditItemTests : IAsyncDisposable, IAsyncLifetime
{
    private const uint Area = 100;

    private static readonly EventLayout Audit =
        StandardEvents.OfAudit(StandardIds.ObjectTypes.AuditSecurityEventType, []);

    private static readonly SessionOwner Alice = new("UserName:alice", false, "urn:a", true);

    private readonly PublishFixture _plant = new(shards: 2);
    private readonly TestClient _client;
    private readonly TestClient _other;
    private readonly uint _subscription;

    public AuditItemTests()
    {
        var batch = new NodeBatch();
        foreach (var id in new[] { new NodeId(StandardIds.Objects.Server), new NodeId(Area, 1) })
        {
            batch.AddNode(new NodeDefinition
            {
                NodeId = id,
                NodeClass = NodeClass.Object,
                BrowseName = new QualifiedName("Notifier"),
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

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Raise_Audit_ArrivesWhereTheUserMaySeeIt(bool seesAudit)
    {
        _client.SeesAudit = seesAudit;
        Watch(new NodeId(StandardIds.Objects.Server));
        Assert.Equal(seesAudit, _plant.Engine.Events.HasAuditListeners);

        Raise(1);
        RaisePlain(2);

        Assert.Equal(seesAudit ? [1, 2] : [2], Events(_client));
    }

    [Fact]
    public void Raise_Audit_DoesNotArriveAtAnotherNotifier()
    {
        _client.SeesAudit = true;
        Watch(new NodeId(Area, 1));
        Raise(1);
        Assert.Empty(Events(_client));
        Assert.False(_plant.Engine.Events.HasAuditListeners);
    }

    [Fact]
    public void HasAuditListeners_FollowsTheItems()
    {
        _client.SeesAudit = true;
        var item = Watch(new NodeId(StandardIds.Objects.Server));
        SetMode(item, MonitoringMode.Disabled);
        Assert.False(_plant.Engine.Events.HasAuditListeners);
        SetMode(item, MonitoringMode.Reporting);
        Assert.True(_plant.Engine.Events.HasAuditListeners);
        _client.DeleteItem(_subscription, item);
        Assert.False(_plant.Engine.Events.HasAuditListeners);
    }

    /// <summary>R16: what waits is not for the user who comes, and neither is a message kept for Republish.</summary>
    [Fact]
    public void ChangeUser_ToOneWhoMayNotSeeThem_QueuedOnesAndKeptMessagesGo()
    {
        _client.SeesAudit = true;
        Watch(new NodeId(StandardIds.Objects.Server));
        Raise(1);
        Assert.Equal([1], Events(_client));
        Raise(2);
        RaisePlain(3);
        _plant.Advance(0);

        _client.SeesAudit = false;
        _client.Session.ChangeUser(_client, Alice);

        Assert.Equal([3], Events(_client));
        Assert.False(_plant.Engine.Events.HasAuditListeners);
        Assert.Equal(
            StatusCodes.BadMessageNotAvailable,
            _client.Republish(_subscription, 1).ResponseHeader.ServiceResult.Code);
        Raise(4);
        Assert.Empty(Events(_client));
    }

    [Fact]
    public void ChangeUser_ToOneWhoMaySeeThem_TheyArriveFromThenOn()
    {
        Watch(new NodeId(StandardIds.Objects.Server));
        Raise(1);
        RaisePlain(2);

        _client.SeesAudit = true;
        _client.Session.ChangeUser(_client, Alice);
        Raise(3);

        Assert.Equal([2, 3], Events(_client));
    }

    [Fact]
    public void Transfer_ToASessionThatMayNotSeeThem_DropsThem()
    {
        _client.SeesAudit = true;
        Watch(new NodeId(StandardIds.Objects.Server));
        Raise(1);
        RaisePlain(2);
        Assert.Equal(StatusCode.Good, _other.Transfer(_subscription).StatusCode);
        Raise(3);
        Assert.Equal([2], Events(_other));
        Assert.False(_plant.Engine.Events.HasAuditListeners);
    }

    /// <summary>As any other event, an audit event is kept until it is acknowledged.</summary>
    [Fact]
    public void Republish_EventsThatWereSent_ComeOnceMore()
    {
        _client.SeesAudit = true;
        Watch(new NodeId(StandardIds.Objects.Server));
        Raise(1);
        RaisePlain(2);
        Assert.Equal([1, 2], Events(_client));

        var repeated = _client.Republish(_subscription, 1).NotificationMessage;

        Assert.Equal([1, 2], SeveritiesOf(repeated.NotificationData ?? []));
    }

    private void Raise(ushort severity) => _plant.Engine.Events.Raise(_plant.Engine.Events.Maker.MakeForServer(
        Audit, default, "Session/CreateSession", "audit", severity, []));

    private void RaisePlain(ushort severity) => _plant.Engine.Events.Raise(_plant.Engine.Events.Maker.Make(
        StandardEvents.SystemEvent, default, "Server", "plain", severity));

    private uint Watch(NodeId node)
    {
        var request = TestClient.Item(
            1, 100, true, attribute: AttributeId.EventNotifier, filter: new EventFilter
            {
                SelectClauses =
                [
                    new SimpleAttributeOperand
                    {
                        TypeDefinitionId = new NodeId(StandardIds.ObjectTypes.BaseEventType),
                        BrowsePath = [new QualifiedName("Severity")],
                        AttributeId = (uint)AttributeId.Value,
                    },
                ],
            });
        var result = _client.TryMonitor(
            _subscription, request with { ItemToMonitor = request.ItemToMonitor with { NodeId = node } });
        Assert.Equal(StatusCode.Good, result.StatusCode);
        return result.MonitoredItemId;
    }

    private void SetMode(uint item, MonitoringMode mode) => _client.Session.SetMonitoringMode(
        new SetMonitoringModeRequest
        {
            SubscriptionId = _subscription,
            MonitoringMode = mode,
            MonitoredItemIds = [item],
        });

    private int[] Events(TestClient client)
    {
        client.All();
        client.Publish();
        _plant.Advance(200);
        return SeveritiesOf(client.All().Where(static one => one.Response is not null)
            .SelectMany(static one => one.Response!.NotificationMessage.NotificationData ?? []));
    }

    private static int[] SeveritiesOf(IEnumerable<ExtensionObject> data) =>
    [
        .. data.Select(static one => one.Body).OfType<EventNotificationList>()
            .SelectMany(static list => list.Events!).Select(static one => one.EventFields![0].AsInt32()),
    ];
}
