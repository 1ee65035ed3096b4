using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Model;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Items;

/// <summary>Where clauses have a budget of work, and clients fair shares of the places for filters (R44, R46).
/// </summary>
public sealed class EventBudgetTests
{
    private const string Text = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

    /// <summary>Looks at each character of the text for each of its own.</summary>
    private const string Costly = "%aaaaaaaaaaaaaaaaaaaab%";

    [Fact]
    public async Task Raise_CostlyFilterBeyondTheBudget_LosesItsEventsAndIsTold_OthersGetTheirs()
    {
        await using var plant = MakePlant(PublishLimits.Default with { MaxEventFilterStepsPerSecond = 3_000 });
        var (costly, plain) = (plant.OpenClient(), plant.OpenClient());
        Watch(costly, Like(Costly));
        Watch(plain, null);

        for (var i = 1; i <= 5; i++)
            Raise(plant, (ushort)i);

        Assert.Equal([1, 2, 3, 4, 5], Told(plant, plain).Select(static one => one.Severity));
        Assert.Contains(Told(plant, costly), static one => one.IsNotice);
        Assert.True(plant.Engine.Events.Unjudged > 0);
        var before = plant.Engine.Events.Unjudged;
        plant.Time.Advance(TimeSpan.FromSeconds(1));
        Raise(plant, 6);
        Assert.Equal(before, plant.Engine.Events.Unjudged);
    }

    /// <summary>It is not begun, so that the others have their steps.</summary>
    [Fact]
    public async Task Raise_FilterOfLargeValuesBeyondTheBudget_LosesItsEventsAndTakesNoneOfOthers()
    {
        await using var plant = MakePlant(PublishLimits.Default with { MaxEventFilterStepsPerSecond = 6_000 });
        var (large, other) = (plant.OpenClient(), plant.OpenClient());
        Watch(large, Element(
            FilterOperator.Equals, Variant.FromArray(BuiltInType.String, Enumerable.Repeat("1", 400).ToArray())));
        Watch(other, Like(Costly));

        Raise(plant, 1);

        Assert.Contains(Told(plant, large), static one => one.IsNotice);
        Assert.Empty(Told(plant, other));
        Assert.Equal(1, plant.Engine.Events.Unjudged);
    }

    [Fact]
    public async Task Create_FilterWhereOneClientHasMoreThanItsShare_OnlyOthersGetOne()
    {
        await using var plant = MakePlant(PublishLimits.Default with { MaxEventFilters = 12 });
        var greedy = plant.OpenClient(Owner("greedy"));
        var modest = plant.OpenClient(Owner("modest"));

        var granted = Enumerable.Range(0, 12).Count(i => Watch(greedy, Above(i)).StatusCode.IsGood);

        Assert.Equal(10, granted);
        Assert.Equal(
            StatusCodes.BadTooManyMonitoredItems, Watch(greedy, Above(100)).StatusCode.Code);
        // An equal filter takes no place.
        Assert.True(Watch(greedy, Above(0)).StatusCode.IsGood);
        Assert.True(Watch(modest, Above(200)).StatusCode.IsGood);
        Assert.True(Watch(modest, Above(201)).StatusCode.IsGood);
        Assert.Equal(StatusCodes.BadTooManyMonitoredItems, Watch(modest, Above(202)).StatusCode.Code);
        Assert.Equal(4, plant.Engine.Events.RefusedFilters);
    }

    [Theory]
    [InlineData(3, 1, 10, 10_000, false)]
    [InlineData(1, 3, 10, 10_000, false)]
    [InlineData(1, 1, 1, 10_000, false)]
    [InlineData(1, 1, 10, 40, false)]
    [InlineData(2, 2, 10, 10_000, true)]
    public async Task Create_FilterLargerThanALimit_IsRefused(
        int selects, int elements, int operands, int bytes, bool isTaken)
    {
        await using var plant = MakePlant(PublishLimits.Default with
        {
            MaxEventSelectClauses = 2,
            MaxEventWhereElements = 2,
            MaxEventWhereOperands = operands,
            MaxEventFilterBytes = bytes,
        });
        var filter = new EventFilter
        {
            SelectClauses = [.. Enumerable.Repeat(Clause("Severity"), selects)],
            WhereClause = new ContentFilter
            {
                // The others cannot be reached, and count all the same.
                Elements = [.. Enumerable.Repeat(Above(1), elements)],
            },
        };

        var result = WatchFilter(plant.OpenClient(), filter);

        Assert.Equal(
            isTaken ? StatusCodes.Good : StatusCodes.BadMonitoredItemFilterUnsupported, result.StatusCode.Code);
    }

    [Fact]
    public async Task Raise_MoreThanMaxPendingEventsPerShard_ItemsAreTold()
    {
        await using var plant = MakePlant(PublishLimits.Default with { MaxPendingEventsPerShard = 3 });
        var client = plant.OpenClient();
        Watch(client, null);
        for (var i = 1; i <= 5; i++)
            Raise(plant, (ushort)i);
        var told = Told(plant, client);
        Assert.Equal([1, 2, 3], told.Where(static one => !one.IsNotice).Select(static one => one.Severity));
        Assert.Single(told, static one => one.IsNotice);
        Assert.Equal(2, plant.Engine.Events.Lost);
    }

    /// <summary>Source: Part 4 §5.13.1.6: the triggering item reports, and the events of the other go along.</summary>
    [Fact]
    public async Task SetTriggering_EventItems_QueuedEventsGoAlong()
    {
        await using var plant = MakePlant(PublishLimits.Default);
        var client = plant.OpenClient();
        var triggering = Watch(client, Above(500)).MonitoredItemId;
        var linked = Watch(client, null, MonitoringMode.Sampling).MonitoredItemId;
        var links = client.Session.SetTriggering(new SetTriggeringRequest
        {
            SubscriptionId = client.Session.Subscriptions[0].Id,
            TriggeringItemId = triggering,
            LinksToAdd = [linked],
        });
        Assert.Equal(StatusCode.Good, Assert.Single(links.AddResults!));

        Raise(plant, 1);
        Raise(plant, 2);
        Assert.Empty(Told(plant, client));
        Raise(plant, 501);

        Assert.Equal([1, 2, 501, 501], Told(plant, client).Select(static one => one.Severity).Order());
    }

    private static PublishFixture MakePlant(PublishLimits limits)
    {
        var plant = new PublishFixture(limits: limits);
        plant.Nodes.Apply(new NodeBatch().AddNode(new NodeDefinition
        {
            NodeId = new NodeId(StandardIds.Objects.Server),
            NodeClass = NodeClass.Object,
            BrowseName = new QualifiedName("Server"),
            EventNotifier = EventNotifierType.SubscribeToEvents,
            HasOwnEvents = true,
        }));
        return plant;
    }

    private static SessionOwner Owner(string name) => new("UserName:" + name, false, "urn:" + name, true);

    private static void Raise(PublishFixture plant, ushort severity) => plant.Engine.Events.Raise(
        plant.Engine.Events.Maker.Make(StandardEvents.SystemEvent, default, "Server", Text, severity));

    private static MonitoredItemCreateResult Watch(
        TestClient client, ContentFilterElement? where, MonitoringMode mode = MonitoringMode.Reporting) =>
        WatchFilter(client, new EventFilter
        {
            SelectClauses = [Clause("Severity"), Clause("SourceName")],
            WhereClause = new ContentFilter { Elements = where is { } only ? [only] : null },
        }, mode);

    private static MonitoredItemCreateResult WatchFilter(
        TestClient client, EventFilter filter, MonitoringMode mode = MonitoringMode.Reporting)
    {
        var subscription = client.Session.Subscriptions.Count > 0
            ? client.Session.Subscriptions[0].Id
            : client.Subscribe();
        var request = TestClient.Item(1, 100, true, attribute: AttributeId.EventNotifier, filter: filter);
        return client.TryMonitor(subscription, request with
        {
            MonitoringMode = mode,
            ItemToMonitor = request.ItemToMonitor with { NodeId = new NodeId(StandardIds.Objects.Server) },
        });
    }

    private static ContentFilterElement Like(string pattern) => new()
    {
        FilterOperator = FilterOperator.Like,
        FilterOperands =
        [
            new ExtensionObject(Clause("Message")),
            new ExtensionObject(new LiteralOperand { Value = new Variant(pattern) }),
        ],
    };

    private static ContentFilterElement Above(int severity) =>
        Element(FilterOperator.GreaterThan, new Variant(severity));

    private static ContentFilterElement Element(FilterOperator kind, Variant literal) => new()
    {
        FilterOperator = kind,
        FilterOperands =
        [
            new ExtensionObject(Clause("Severity")),
            new ExtensionObject(new LiteralOperand { Value = literal }),
        ],
    };

    private static SimpleAttributeOperand Clause(string name) => new()
    {
        TypeDefinitionId = new NodeId(StandardIds.ObjectTypes.BaseEventType),
        BrowsePath = [new QualifiedName(name)],
        AttributeId = (uint)AttributeId.Value,
    };

    private static List<(int Severity, bool IsNotice)> Told(PublishFixture plant, TestClient client)
    {
        client.All();
        client.Publish();
        plant.Advance(200);
        var data = client.All().Where(static one => one.Response is not null)
            .SelectMany(static one => one.Response!.NotificationMessage.NotificationData ?? []);
        return
        [
            .. data.Select(static one => one.Body).OfType<EventNotificationList>()
                .SelectMany(static list => list.Events!).Select(static one => (
                    one.EventFields![0].AsInt32(),
                    one.EventFields![1].AsString() == "Internal/EventQueueOverflow")),
        ];
    }
}
