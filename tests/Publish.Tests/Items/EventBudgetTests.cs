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

    /// <summary>The fields that they select, and parts of them, are work as well.</summary>
    [Theory]
    [InlineData("Message", null)]
    [InlineData("SourceName", "0:9")]
    public async Task Raise_ManySelectClausesBeyondTheBudget_LoseTheirEventsAndAreTold(string field, string? range)
    {
        await using var plant = MakePlant(PublishLimits.Default with { MaxEventFilterStepsPerSecond = 3_000 });
        var (costly, plain) = (plant.OpenClient(), plant.OpenClient());
        var clause = new SimpleAttributeOperand
        {
            TypeDefinitionId = new NodeId(StandardIds.ObjectTypes.BaseEventType),
            BrowsePath = [new QualifiedName(field)],
            AttributeId = (uint)AttributeId.Value,
            IndexRange = range,
        };
        Assert.True(WatchFilter(costly, new EventFilter
        {
            SelectClauses = [Clause("Severity"), Clause("SourceName"), .. Enumerable.Repeat(clause, 900)],
        }).StatusCode.IsGood);
        Watch(plain, null);

        for (var i = 1; i <= 3; i++)
        {
            plant.Engine.Events.Raise(plant.Engine.Events.Maker.Make(
                StandardEvents.SystemEvent, default, new string('s', 100), Text, (ushort)i));
        }

        Assert.Equal([1, 2, 3], Told(plant, plain).Select(static one => one.Severity));
        Assert.Contains(Told(plant, costly), static one => one.IsNotice);
        Assert.True(plant.Engine.Events.Unjudged > 0);
    }

    /// <summary>The fields that a collector of alarms asks for: what it needs beyond the free steps is little.
    /// </summary>
    [Fact]
    public async Task Raise_CollectorsFilterInABurst_LosesNothing()
    {
        await using var plant = MakePlant(PublishLimits.Default);
        var client = plant.OpenClient();
        Assert.True(WatchFilter(client, new EventFilter
        {
            SelectClauses =
            [
                Clause("Severity"), Clause("SourceName"), Clause("Message"),
                .. Enumerable.Range(0, 146).Select(static one => Clause($"Field{one}")),
            ],
        }).StatusCode.IsGood);

        for (var i = 0; i < 1_000; i++)
            Raise(plant, 1);

        Assert.Equal(0, plant.Engine.Events.Unjudged);
    }

    /// <summary>The last sixth is kept from it, not from each of its filters (R46).</summary>
    [Fact]
    public async Task Raise_OneClientWithManyCostlyFilters_LeavesStepsForOthers()
    {
        await using var plant = MakePlant(PublishLimits.Default with { MaxEventFilterStepsPerSecond = 60_000 });
        var (greedy, modest) = (plant.OpenClient(Owner("greedy")), plant.OpenClient(Owner("modest")));
        for (var i = 0; i < 100; i++)
            Watch(greedy, Like(Costly + i));
        Watch(modest, Like("%" + Costly));
        for (var i = 0; i < 5; i++)
            Raise(plant, 1);
        var before = plant.Engine.Events.Unjudged;
        Assert.True(before > 0);

        Assert.DoesNotContain(Told(plant, modest), static one => one.IsNotice);
    }

    /// <summary>What the filter before has taken stays on the client's account (R46).</summary>
    [Fact]
    public async Task Raise_ClientThatDeletesItsFilterAndBringsTheNext_LeavesStepsForOthers()
    {
        await using var plant = MakePlant(PublishLimits.Default with { MaxEventFilterStepsPerSecond = 60_000 });
        var (greedy, modest) = (plant.OpenClient(Owner("greedy")), plant.OpenClient(Owner("modest")));
        for (var i = 0; i < 100; i++)
        {
            var item = Watch(greedy, Like(Costly + i)).MonitoredItemId;
            Raise(plant, 1);
            greedy.DeleteItem(greedy.Session.Subscriptions[0].Id, item);
        }

        var before = plant.Engine.Events.Unjudged;
        Assert.True(before > 0);
        Watch(modest, Like("%" + Costly));
        Raise(plant, 1);

        Assert.Equal(before, plant.Engine.Events.Unjudged);
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

    /// <summary>Each notice is made for its item: the shard's lock is given up in between (R44).</summary>
    [Fact]
    public async Task Loss_ForManyItems_IsToldInSlices()
    {
        const int Items = 600, MostAtOnce = 100;
        await using var plant = MakePlant(PublishLimits.Default with { MaxPendingEventsPerShard = 3 });
        var client = plant.OpenClient();
        for (var i = 0; i < Items; i++)
            Watch(client, null);
        plant.Advance(0);
        for (var i = 1; i <= 5; i++)
            Raise(plant, 1);
        var items = client.Session.Subscriptions[0].Items.CopySlots();
        var (told, most) = (0, 0);
        for (var goesOn = true; goesOn;)
        {
            lock (client.Session.Shard.Lock)
                goesOn = client.Session.Shard.Events.StepUnderLock();
            var now = items.Count(static one => one?.Extras.Event?.Notice is not null);
            (told, most) = (now, Math.Max(most, now - told));
        }

        Assert.Equal(Items, told);
        Assert.InRange(most, 1, MostAtOnce);
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
