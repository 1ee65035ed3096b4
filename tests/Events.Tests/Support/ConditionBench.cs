using Gateway.AddressSpace.Values;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Events.Delivery;
using Gateway.Events.Model;
using Gateway.Testing;

namespace Gateway.Events.Tests.Support;

/// <summary>A table of conditions on time that stands still, one alarm in it, and an item on the Server object that
/// sees what is told.</summary>
internal sealed class ConditionBench : IDisposable
{
    public static readonly NodeId Alarm = new("Alarms/test", 1);

    private static readonly string[] Paths =
    [
        "EventId", "BranchId", "ActiveState/Id", "AckedState/Id", "ConfirmedState/Id", "Retain",
    ];

    private readonly EventInbox _inbox;
    private readonly Dictionary<NodeId, int> _branches = [];

    public ConditionBench(bool wantsConfirmation = false, ConditionLimits? limits = null, bool watches = true)
    {
        Hub = new EventHub(
            EventSample.Nodes, new ValueStore(Time), new EventMaker(EventSample.Nodes, Time), new EventHubLimits(),
            Time);
        Table = new ConditionTable(Hub, EventSample.Nodes, limits ?? new ConditionLimits(), Time);
        Definition = new ConditionDefinition
        {
            ConditionId = Alarm,
            Layout = ConditionLayouts.SystemOffNormal,
            ConditionName = "test",
            SourceName = "Server",
            WantsConfirmation = wantsConfirmation,
        };
        _inbox = Hub.OpenInbox(1000, static () => { });
        if (watches)
            Watch();
    }

    public ManualTimeProvider Time { get; } = new();

    public EventHub Hub { get; }

    public ConditionTable Table { get; }

    public ConditionDefinition Definition { get; }

    /// <summary>Of the last event of the present state, and of each branch by its number.</summary>
    public Dictionary<int, byte[]> EventIds { get; } = [];

    public ConditionReport Current => Table.Read(retainedOnly: false).Single(static one => one.BranchId.IsNull);

    public void Report(bool isActive, ushort severity = 500, string message = "off") =>
        Table.Report(Definition, isActive, severity, message);

    public StatusCode Call(
        ConditionAct act, byte[]? eventId = null, LocalizedText comment = default, double time = 0) =>
        Table.Call(Alarm, new ConditionCall(act, "anna")
        {
            EventId = eventId ?? [],
            Comment = comment,
            ShelvingTime = time,
        });

    /// <summary>What was told since the last call, an event a text: the branch's number, 0 for the present state, and
    /// Active, Acked, Confirmed, Retain.</summary>
    public string[] Told()
    {
        var told = new List<string>();
        while (_inbox.TryTake(out var next))
        {
            var fields = Decode(next.Fields);
            next.Fields.Release();
            var branch = NumberOf(fields[1].AsNodeId());
            EventIds[branch] = fields[0].AsByteString()!;
            told.Add($"{branch} " + string.Concat(fields[2..].Select(static one => one.AsBoolean() ? 'T' : 'F')));
        }

        return [.. told];
    }

    /// <summary>The value of a field of the present state, as a refresh would bring it.</summary>
    public Variant Field(string path)
    {
        var next = 0;
        while (Table.TryReadRetained(ref next, out var record, out _))
        {
            if (record is not null && record.Values[record.Layout.SlotOf(FieldPath.Of("BranchId"))].AsNodeId().IsNull)
                return record.Values[record.Layout.SlotOf(FieldPath.Of(path))];
        }

        throw new InvalidOperationException("The alarm is not retained");
    }

    public void Dispose() => Hub.Dispose();

    private void Watch()
    {
        var verdict = Hub.Take(new EventFilter
        {
            SelectClauses = Array.ConvertAll(Paths, static path => EventSample.Field(path)),
        }, "bench");
        Hub.Join(
            verdict.Filter!, EventSample.Nodes.Find(new NodeId(StandardIds.Objects.Server)), _inbox,
            seesAudit: false);
    }

    private static Variant[] Decode(SharedValue fields)
    {
        var reader = new UaBinaryReader(fields.EncodedVariant);
        return reader.ReadVariant().AsArray<Variant>()!;
    }

    private int NumberOf(NodeId branch)
    {
        if (branch.IsNull)
            return 0;
        if (!_branches.TryGetValue(branch, out var number))
            _branches.Add(branch, number = _branches.Count + 1);
        return number;
    }
}
