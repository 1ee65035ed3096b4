using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Delivery;
using Gateway.Events.Model;
using Gateway.Events.Tests.Support;
using Gateway.Testing;

namespace Gateway.Events.Tests.Delivery;

public sealed class EventHubTests : IDisposable
{
    /// <summary>Of the large events, in what refreshes have in common.</summary>
    private const int MoreThanFit = 600;

    private const uint Many = 500;

    private readonly NodeTable _nodes = new();
    private readonly EventHub _hub;
    private readonly EventInbox _inbox;

    public EventHubTests()
    {
        var time = new ManualTimeProvider();
        _nodes.Namespaces.GetOrAdd("urn:test");
        var batch = new NodeBatch();
        for (var id = 1u; id <= Many; id++)
        {
            batch.AddNode(new NodeDefinition
            {
                NodeId = new NodeId(id, 1),
                NodeClass = NodeClass.Object,
                BrowseName = new QualifiedName($"Object{id}", 1),
                EventNotifier = EventNotifierType.SubscribeToEvents,
                HasOwnEvents = true,
            });
        }

        _nodes.Apply(batch);
        var limits = new EventHubLimits { MaxEventFilterStepsPerSecond = 1_000_000_000 };
        _hub = new EventHub(_nodes, new ValueStore(time), new EventMaker(_nodes, time), limits, time);
        _inbox = _hub.OpenInbox(1_000, static () => { });
    }

    public void Dispose() => _hub.Dispose();

    /// <summary>A client with an item on each of many notifiers costs the events of others nothing (R44).</summary>
    [Fact]
    public void Raise_ItemsOnManyOtherNotifiers_LooksAtItsOwnAlone()
    {
        var groups = new List<EventGroup>();
        for (var id = 1u; id <= Many; id++)
        {
            var filter = _hub.Take(new EventFilter { SelectClauses = [EventSample.Field("EventId")] }, "test").Filter!;
            groups.Add(_hub.Join(filter, Node(id), _inbox, seesAudit: false));
        }

        _hub.Raise(_hub.Maker.Make(StandardEvents.SystemEvent, Node(7), "test", "words", 500));

        Assert.InRange(_hub.Looked, 1, 4);
        Assert.True(_inbox.TryTake(out var next));
        next.Fields.Release();
        Assert.Same(groups[6], next.Group);
        Assert.False(_inbox.TryTake(out _));
        foreach (var group in groups)
        {
            _hub.Leave(group, _inbox);
            _hub.Release(group.Filter);
        }

        _hub.Raise(_hub.Maker.Make(StandardEvents.SystemEvent, Node(7), "test", "words", 500));
        Assert.InRange(_hub.Looked, 1, 4);
        Assert.False(_inbox.TryTake(out _));
        Assert.False(_hub.IsWatched);
    }

    /// <summary>Where no item watches a View, none is looked for.</summary>
    [Fact]
    public void Join_OnAView_ViewsAreLookedForUntilTheLastItemLeaves()
    {
        _nodes.Apply(new NodeBatch().AddNode(new NodeDefinition
        {
            NodeId = new NodeId(Many + 1, 1),
            NodeClass = NodeClass.View,
            BrowseName = new QualifiedName("View", 1),
            EventNotifier = EventNotifierType.SubscribeToEvents,
        }));
        var filter = _hub.Take(new EventFilter { SelectClauses = [EventSample.Field("EventId")] }, "test").Filter!;
        _hub.Join(filter, Node(1), _inbox, seesAudit: false);
        Assert.False(_hub.WantsViews);

        var group = _hub.Join(filter, Node(Many + 1), _inbox, seesAudit: false);
        _hub.Join(filter, Node(Many + 1), _inbox, seesAudit: false);
        _hub.Leave(group, _inbox);
        Assert.True(_hub.WantsViews);
        _hub.Leave(group, _inbox);
        Assert.False(_hub.WantsViews);
    }

    /// <summary>A client that takes nothing of its refresh: what the others have in common later is not kept from them.
    /// </summary>
    [Fact]
    public void EncodeRetained_MoreThanMayBeKept_ThoseOfNowAreShared()
    {
        var filter = _hub.Take(new EventFilter { SelectClauses = [EventSample.Field("Message")] }, "test").Filter!;
        var refresh = _hub.BeginRefresh(filter);
        for (var i = 0; i < MoreThanFit; i++)
            Encode(refresh, Large()).Release();

        var record = Large();
        var (first, second) = (Encode(refresh, record), Encode(refresh, record));

        Assert.Same(first, second);
        first.Release();
        second.Release();
        _hub.EndRefresh(refresh);
    }

    /// <summary>A large event of which little is selected is kept by what is in common, and counts there (R43).
    /// </summary>
    [Fact]
    public void EncodeRetained_LargeEventsOfWhichLittleIsSelected_TheFirstAreForgotten()
    {
        var filter = _hub.Take(new EventFilter { SelectClauses = [EventSample.Field("Severity")] }, "test").Filter!;
        var refresh = _hub.BeginRefresh(filter);
        var record = Large();
        var first = Encode(refresh, record);
        for (var i = 0; i < MoreThanFit; i++)
            Encode(refresh, Large()).Release();

        var again = Encode(refresh, record);

        Assert.NotSame(first, again);
        first.Release();
        again.Release();
        _hub.EndRefresh(refresh);
    }

    /// <summary>Fields of a little more than 32 KiB have a buffer of twice as much: this is held, and counts (R43).
    /// </summary>
    [Fact]
    public void EncodeRetained_FieldsThatFillHalfOfTheirBuffers_TheBuffersCount()
    {
        var filter = _hub.Take(new EventFilter { SelectClauses = [EventSample.Field("Message")] }, "test").Filter!;
        var refresh = _hub.BeginRefresh(filter);
        var record = Large(33_000);
        var first = Encode(refresh, record);
        // By their lengths 29 MiB, and 38 MiB of memory.
        for (var i = 0; i < 300; i++)
            Encode(refresh, Large(33_000)).Release();

        var again = Encode(refresh, record);

        Assert.NotSame(first, again);
        first.Release();
        again.Release();
        _hub.EndRefresh(refresh);
    }

    private EventRecord Large(int length = 60_000) =>
        _hub.Maker.Make(StandardEvents.SystemEvent, Node(1), "test", new string('w', length), 500);

    private SharedValue Encode(FilterRefresh refresh, EventRecord record)
    {
        var steps = int.MaxValue;
        Assert.Equal(
            RetainedStep.Brought, _hub.EncodeRetained(refresh, Node(1), record, out var fields, ref steps));
        return fields!;
    }

    private NodeHandle Node(uint id) => _nodes.Find(new NodeId(id, 1));
}
