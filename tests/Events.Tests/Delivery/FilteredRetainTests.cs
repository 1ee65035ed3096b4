using Gateway.AddressSpace.Values;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Events.Delivery;
using Gateway.Events.Model;
using Gateway.Events.Plain;
using Gateway.Events.Tests.Support;

namespace Gateway.Events.Tests.Delivery;

/// <summary>A condition that stops to pass a client's filter is told once with Retain false. Source: Part 9 §5.5.2.
/// </summary>
public sealed class FilteredRetainTests : IDisposable
{
    private static readonly NodeId Server = new(StandardIds.Objects.Server);

    private readonly ConditionBench _bench = new(watches: false);

    public void Dispose() => _bench.Dispose();

    [Fact]
    public void Severity_FallsBelow_EndsOnceAndComesAgain()
    {
        var inbox = Watch(Severe(500));
        _bench.Report(true, 400);
        Assert.Empty(Told(inbox));
        _bench.Report(true, 600);
        Assert.Equal(["600 True"], Told(inbox));
        _bench.Report(true, 300, "less");
        Assert.Equal(["300 False"], Told(inbox));
        _bench.Report(true, 200, "still less");
        Assert.Empty(Told(inbox));
        _bench.Report(true, 700);
        Assert.Equal(["700 True"], Told(inbox));
    }

    /// <summary>It is over and passes no longer: once, and not a second time.</summary>
    [Fact]
    public void ActiveOnly_BecomesInactive_EndsOnce()
    {
        var inbox = Watch(Active());
        _bench.Report(true, 600);
        Assert.Equal(["600 True"], Told(inbox));
        // It waits for an acknowledgement, so it is still retained for those who ask for all.
        _bench.Report(false, 600);
        Assert.True(_bench.Current.Retain);
        Assert.Equal(["600 False"], Told(inbox));
        Assert.Equal(StatusCode.Good, _bench.Call(ConditionAct.Acknowledge, _bench.Current.EventId));
        Assert.Empty(Told(inbox));
    }

    /// <summary>What has passed before is each client's own.</summary>
    [Fact]
    public void Severity_TwoFilters_EachEndsForItsOwn()
    {
        var (high, low) = (Open(_bench.Hub), Open(_bench.Hub));
        Join(_bench.Hub, Severe(500), high);
        Join(_bench.Hub, Severe(100), low);
        _bench.Report(true, 600);
        _bench.Report(true, 300, "less");
        Assert.Equal(["600 True", "300 False"], Told(high));
        Assert.Equal(["600 True", "300 True"], Told(low));
    }

    [Fact]
    public void Upstream_BranchAndAlarm_EndEachForItself()
    {
        using var mirror = new MirrorBench(filter: Active());
        var branch = new NodeId("branch", 1);
        mirror.Take(mirror.Make("hot", 1));
        mirror.Take(mirror.Make("hot", 2, branch: branch));
        Assert.Equal(["700 True", "700 True"], Told(mirror));
        mirror.Take(mirror.Make("hot", 3, isActive: false, branch: branch));
        Assert.Equal(["700 False"], Told(mirror));
        mirror.Take(mirror.Make("hot", 4, isAcked: true));
        Assert.Equal(["700 True"], Told(mirror));
        mirror.Take(mirror.Make("hot", 5, isActive: false, retain: false));
        Assert.Equal(["700 False"], Told(mirror));
    }

    /// <summary>The second look at the notification before has steps of its own: the one look is within what each
    /// clause has free, both together would be above it.</summary>
    [Fact]
    public void Severity_FallsBelowAndNoStepsAreLeft_EndsAllTheSame()
    {
        using var hub = new EventHub(
            EventSample.Nodes, new ValueStore(_bench.Time), new EventMaker(EventSample.Nodes, _bench.Time),
            new EventHubLimits { MaxEventFilterStepsPerSecond = 0 }, _bench.Time);
        var table = new ConditionTable(hub, EventSample.Nodes, new ConditionLimits(), _bench.Time);
        var inbox = Open(hub);
        Join(hub, Costly(), inbox);
        table.Report(_bench.Definition, true, 600, "off");
        table.Report(_bench.Definition, true, 300, "less");
        Assert.Equal(["600 True", "300 False"], Told(inbox));
        Assert.Equal(0, hub.Unjudged);
    }

    /// <summary>Severity of 500 at least, by some 90 steps.</summary>
    private static EventFilter Costly() => new()
    {
        SelectClauses = Fields(),
        WhereClause = new ContentFilter
        {
            Elements =
            [
                EventSample.Element(FilterOperator.And, EventSample.Element(1), EventSample.Element(2)),
                EventSample.Element(
                    FilterOperator.GreaterThanOrEqual, new ExtensionObject(PlainFields.Of("severity")),
                    EventSample.Literal(new Variant((ushort)500))),
                EventSample.Element(
                    FilterOperator.InList,
                    [
                        new ExtensionObject(PlainFields.Of("retain")),
                        .. Enumerable.Range(0, 80).Select(static _ => EventSample.Literal(new Variant(false))),
                        EventSample.Literal(new Variant(true)),
                    ]),
            ],
        },
    };

    private static EventFilter Severe(int least) => PlainFilter.Of(Fields(), [], least);

    private static EventFilter Active() => new()
    {
        SelectClauses = Fields(),
        WhereClause = new ContentFilter
        {
            Elements =
            [
                new ContentFilterElement
                {
                    FilterOperator = FilterOperator.Equals,
                    FilterOperands =
                    [
                        new ExtensionObject(PlainFields.Of("active")),
                        new ExtensionObject(new LiteralOperand { Value = new Variant(true) }),
                    ],
                },
            ],
        },
    };

    private static SimpleAttributeOperand[] Fields() => [PlainFields.Of("severity"), PlainFields.Of("retain")];

    private EventInbox Watch(EventFilter filter)
    {
        var inbox = Open(_bench.Hub);
        Join(_bench.Hub, filter, inbox);
        return inbox;
    }

    /// <summary>All of them before an item is there.</summary>
    private static EventInbox Open(EventHub hub) => hub.OpenInbox(1000, static () => { });

    private static void Join(EventHub hub, EventFilter filter, EventInbox inbox) => hub.Join(
        hub.Take(filter, "test").Filter!, EventSample.Nodes.Find(Server), inbox, seesAudit: false);

    private static string[] Told(EventInbox inbox)
    {
        var told = new List<string>();
        while (inbox.TryTake(out var next))
        {
            told.Add(InWords(new UaBinaryReader(next.Fields.EncodedVariant).ReadVariant().AsArray<Variant>()!));
            next.Fields.Release();
        }

        return [.. told];
    }

    private static string[] Told(MirrorBench mirror) => [.. mirror.Told().Select(InWords)];

    private static string InWords(Variant[] fields) => $"{fields[0].AsUInt32()} {fields[1].AsBoolean()}";
}
