using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Model;
using Gateway.Publish;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Microbenchmarks.Publish;

/// <summary>An engine whose loop the benchmark turns, and sessions on it that throw away what they get.</summary>
internal sealed class PublishPlant : IDisposable
{
    private const double PublishingIntervalMs = 100;

    private static readonly NodeId ServerId = new(StandardIds.Objects.Server);

    private readonly SteppedTime _time = new();
    private readonly PublishEngine _engine;
    private readonly List<(PublishSession Session, uint Subscription)> _sessions = [];
    private readonly SubscriptionAcknowledgement[] _acknowledgement = new SubscriptionAcknowledgement[1];
    private uint _requests;

    public PublishPlant(int tags)
    {
        var nodes = new NodeTable();
        nodes.Namespaces.GetOrAdd("urn:benchmark");
        var batch = new NodeBatch();
        for (var i = 1u; i <= tags; i++)
            batch.AddVariable(new NodeId(i, 1), new QualifiedName("Tag", 1), new(new NodeId(11)), null, default);
        batch.AddNode(new NodeDefinition
        {
            NodeId = ServerId,
            NodeClass = NodeClass.Object,
            BrowseName = new QualifiedName("Server"),
            EventNotifier = EventNotifierType.SubscribeToEvents,
            HasOwnEvents = true,
        });
        nodes.Apply(batch);
        Store = new ValueStore(_time);
        Tags = [.. Enumerable.Range(1, tags).Select(i => nodes.Find(new NodeId((uint)i, 1)))];
        foreach (var tag in Tags)
            Store.Set(tag, new DataValue(new Variant(0.0)));
        _engine = new PublishEngine(
            nodes, Store, PublishLimits.Default with { PublishShards = 1 }, new PlantLateness(), _time,
            NullLogger<PublishEngine>.Instance);
    }

    public ValueStore Store { get; }

    public NodeHandle[] Tags { get; }

    public Discard Output { get; } = new();

    public void AddSession(int items, Func<int, uint> node, uint queueSize = 1) =>
        AddSession([.. Enumerable.Range(0, items).Select(i => Item(
            new NodeId(node(i), 1), AttributeId.Value, new() { ClientHandle = (uint)i, QueueSize = queueSize }))]);

    /// <summary>With one item for all events of the server, whose fields are those that a client shows.</summary>
    public void AddEventSession(uint queueSize)
    {
        string[] fields = ["EventId", "EventType", "SourceNode", "SourceName", "Time", "Message", "Severity"];
        var filter = new EventFilter { SelectClauses = Array.ConvertAll(fields, FieldOf) };
        AddSession([Item(ServerId, AttributeId.EventNotifier, new()
        {
            QueueSize = queueSize,
            Filter = new ExtensionObject(filter),
        })]);
    }

    /// <summary>About the server, to be raised.</summary>
    public EventRecord MakeEvent() => _engine.Events.Maker.Make(
        StandardEvents.SystemEvent, default, "Press", "The press has stopped", severity: 500);

    public void Raise(EventRecord record) => _engine.Events.Raise(record);

    private static SimpleAttributeOperand FieldOf(string name) => new()
    {
        TypeDefinitionId = new NodeId(StandardIds.ObjectTypes.BaseEventType),
        BrowsePath = [new QualifiedName(name)],
        AttributeId = (uint)AttributeId.Value,
    };

    private static MonitoredItemCreateRequest Item(
        NodeId node, AttributeId attribute, MonitoringParameters parameters) => new()
        {
            ItemToMonitor = new ReadValueId { NodeId = node, AttributeId = (uint)attribute },
            MonitoringMode = MonitoringMode.Reporting,
            RequestedParameters = parameters,
        };

    private void AddSession(MonitoredItemCreateRequest[] items)
    {
        var session = _engine.OpenSession(Output, Output, SessionOwner.Unknown);
        var subscription = session.CreateSubscription(new CreateSubscriptionRequest
        {
            RequestedPublishingInterval = PublishingIntervalMs,
            PublishingEnabled = true,
        }).SubscriptionId;
        session.CreateMonitoredItems(new CreateMonitoredItemsRequest
        {
            SubscriptionId = subscription,
            TimestampsToReturn = TimestampsToReturn.Both,
            ItemsToCreate = items,
        });
        _sessions.Add((session, subscription));
    }

    /// <summary>One Publish request of each session, with the acknowledgement of its last message.</summary>
    public void Publish()
    {
        foreach (var (session, subscription) in _sessions)
        {
            _acknowledgement[0] = new() { SubscriptionId = subscription, SequenceNumber = Output.Cycle };
            session.Publish(++_requests, new RequestHeader { TimeoutHint = 60_000 }, _acknowledgement);
        }
    }

    /// <summary>Hands changes to their items.</summary>
    public void HandOut() => _engine.Shards[0].RunOnce();

    /// <summary>A publishing interval later: changes reach their items and every subscription is swept.</summary>
    public void Sweep()
    {
        _time.Step(PublishingIntervalMs);
        Output.Cycle++;
        _engine.Shards[0].RunOnce();
    }

    public void Dispose() => _engine.DisposeAsync().AsTask().GetAwaiter().GetResult();

    internal sealed class Discard : INotificationOutput, IItemAccess
    {
        public int MaxResponseSizeBytes => 0;

        public uint Cycle { get; set; }

        public long Bytes { get; private set; }

        public long Messages { get; private set; }

        public StatusCode Send(PooledBuffer message, uint requestId)
        {
            Messages++;
            Bytes += message.Length;
            return StatusCode.Good;
        }

        public void Flush()
        {
        }

        public StatusCode CheckMonitor(NodeHandle node, AttributeId attribute) => StatusCode.Good;
    }

    private sealed class SteppedTime : TimeProvider
    {
        private long _ticks;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public void Step(double milliseconds) => _ticks += (long)(milliseconds * TimeSpan.TicksPerMillisecond);

        public override long GetTimestamp() => _ticks;

        public override DateTimeOffset GetUtcNow() => DateTimeOffset.UnixEpoch.AddTicks(_ticks);
    }
}
