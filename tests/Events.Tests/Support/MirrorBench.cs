using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Standard;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Events.Delivery;
using Gateway.Events.Model;
using Gateway.Testing;

namespace Gateway.Events.Tests.Support;

/// <summary>The conditions of upstreams on time that stands still, and an item on the Server object that sees what is
/// told. The upstream answers a call with <see cref="Answer"/>.</summary>
internal sealed class MirrorBench : IDisposable, IConditionForwarder
{
    private static readonly string[] Paths =
        ["EventId", "ConditionName", "ActiveState/Id", "Retain", "Quality", "ClientUserId", "Message"];

    private static readonly EventLayout Alarm =
        new(new NodeId(EventSample.AlarmConditionType), isCondition: true, MirroredFields.All);

    private readonly EventInbox _inbox;

    public MirrorBench(
        int maxConditions = 100, long maxBytes = 1_000_000, NodeId? notifier = null, EventFilter? filter = null)
    {
        StandardNodes.Load(Nodes, new ValueStore(Time));
        Nodes.Namespaces.GetOrAdd("urn:one");
        Root = Add("Press");
        Hub = new EventHub(Nodes, new ValueStore(Time), new EventMaker(Nodes, Time), new EventHubLimits(), Time);
        Conditions = new MirroredConditions(Hub, Nodes, new ConditionLimits(), Time);
        MaxConditions = maxConditions;
        Limits = new MirrorLimits(() => MaxConditions, () => maxBytes);
        Mirror = Conditions.Open(Root, this, Limits);
        _inbox = Hub.OpenInbox(1000, static () => { });
        var verdict = Hub.Take(filter ?? new EventFilter
        {
            SelectClauses = Array.ConvertAll(Paths, static path => EventSample.Field(path)),
        }, "bench");
        Hub.Join(
            verdict.Filter!, Nodes.Find(notifier ?? new NodeId(StandardIds.Objects.Server)), _inbox, seesAudit: false);
    }

    public ManualTimeProvider Time { get; } = new();

    public NodeTable Nodes { get; } = new();

    public NodeId Root { get; }

    public EventHub Hub { get; }

    public MirroredConditions Conditions { get; }

    public MirrorLimits Limits { get; }

    public int MaxConditions { get; set; }

    public ConditionMirror Mirror { get; }

    /// <summary>The node that decides who gets the last event that was told, and for which items it is.</summary>
    public (NodeHandle Source, ShownMark Mark) Last { get; private set; }

    public List<ForwardedCall> Calls { get; } = [];

    public Func<ForwardedCall, StatusCode> Answer { get; set; } = static _ => StatusCode.Good;

    /// <summary>An object of the gateway's.</summary>
    public NodeId Add(string name)
    {
        var id = new NodeId(name, 1);
        Nodes.Apply(new NodeBatch()
            .AddNode(new NodeDefinition
            {
                NodeId = id,
                NodeClass = NodeClass.Object,
                BrowseName = new QualifiedName(name, 1),
                EventNotifier = EventNotifierType.SubscribeToEvents,
                HasOwnEvents = true,
            })
            .AddReference(
                new NodeId(StandardIds.Objects.ObjectsFolder), new NodeId(StandardIds.ReferenceTypes.Organizes), id));
        return id;
    }

    /// <summary>An event of an alarm of the upstream.</summary>
    public EventRecord Make(
        string name, byte id, bool retain = true, bool isActive = true, NodeId branch = default, string? comment = null,
        string? user = "gateway", bool isAcked = false, NodeId source = default)
    {
        var values = new Variant[MirroredFields.All.Count];
        values[MirroredFields.ConditionId] = new Variant(new NodeId(name, 1));
        values[MirroredFields.EventId] = Variant.FromByteString([id]);
        values[MirroredFields.EventType] = new Variant(Alarm.EventType);
        values[MirroredFields.SourceNode] = new Variant(source);
        values[MirroredFields.Time] = new Variant(new DateTime(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc));
        values[MirroredFields.ConditionName] = new Variant(name);
        values[MirroredFields.BranchId] = new Variant(branch);
        values[MirroredFields.Retain] = new Variant(retain);
        values[MirroredFields.Active] = new Variant(isActive);
        values[MirroredFields.Acked] = new Variant(isAcked);
        values[MirroredFields.Severity] = new Variant((ushort)700);
        values[MirroredFields.Quality] = new Variant(StatusCode.Good);
        values[MirroredFields.Comment] = comment is null ? default : new Variant(new LocalizedText(comment));
        values[MirroredFields.ClientUserId] = new Variant(user);
        MirroredSource.TryFind(Nodes, source, Nodes.Find(Root), out var guard);
        return new EventRecord(Alarm, values, guard) { Root = Nodes.Find(Root) };
    }

    public void Take(EventRecord record, long bytes = 100) => Mirror.Take(record, bytes);

    /// <summary>What was told since the last call: the fields of each event.</summary>
    public List<Variant[]> Told()
    {
        List<Variant[]> told = [];
        while (_inbox.TryTake(out var next))
        {
            told.Add(new UaBinaryReader(next.Fields.EncodedVariant).ReadVariant().AsArray<Variant>()!);
            Last = (next.Source, next.Mark);
            next.Fields.Release();
        }

        return told;
    }

    /// <summary>As a refresh brings them: name and EventId.</summary>
    public List<string> Retained()
    {
        List<string> found = [];
        var next = 0;
        while (Conditions.TryReadRetained(ref next, out var record, out _))
        {
            if (record is not null)
                found.Add($"{record.Values[MirroredFields.ConditionName].AsString()} "
                    + record.Values[MirroredFields.EventId].AsByteString()![0]);
        }

        return found;
    }

    public ValueTask<CallMethodResult> CallAsync(ForwardedCall call, CancellationToken cancellation)
    {
        Calls.Add(call);
        return new(new CallMethodResult { StatusCode = Answer(call) });
    }

    public void Dispose() => Hub.Dispose();
}
