using System.Globalization;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Events.Model;
using Gateway.Publish;
using Gateway.Sources.Simulator;

namespace Gateway.Host.Simulation;

/// <summary>The events and alarms of the simulated plant, on the Server object. An event is a ProgressEventType whose
/// Context counts up by one; the lines of the plant take turns. Where nobody listens nothing is made. The one record
/// of events is filled anew for each, because nobody keeps it: the hub has encoded its fields when it returns.
/// </summary>
internal sealed class PlantEvents(PublishEngine publishing, NodeTable nodes, TimeProvider time) : IPlantEvents
{
    public const int Lines = 100;

    private const ushort LowestSeverity = 100;

    /// <summary>The namespace of the gateway itself.</summary>
    private const ushort OwnNamespace = 1;

    private static readonly NodeId Server = new(StandardIds.Objects.Server);

    private static readonly string[] Names =
    [
        .. Enumerable.Range(0, Lines).Select(
            static line => string.Create(CultureInfo.InvariantCulture, $"Line {line}")),
    ];

    private readonly Lock _lock = new();
    private readonly byte[] _eventId = new byte[EventMaker.EventIdBytes];
    private Variant[]? _values;
    private EventRecord? _record;

    public void Raise(long number)
    {
        if (!publishing.Events.IsWatched)
            return;
        lock (_lock)
        {
            var record = _record ??= Make();
            var now = new Variant(time.GetUtcNow().UtcDateTime);
            publishing.Events.Maker.FillEventId(_eventId);
            var values = _values!;
            values[3] = new Variant(Names[number % Lines]);
            (values[4], values[5]) = (now, now);
            values[7] = new Variant((ushort)(LowestSeverity + (number % 800)));
            values[StandardEvents.BaseFieldCount] = new Variant(number);
            values[StandardEvents.BaseFieldCount + 1] = new Variant((ushort)(number % 101));
            publishing.Events.Raise(record);
        }
    }

    public void SetAlarm(int number, bool isActive) => publishing.Conditions.Report(
        new ConditionDefinition
        {
            ConditionId = new NodeId(
                string.Create(CultureInfo.InvariantCulture, $"Alarms/simulator/{number}"), OwnNamespace),
            Layout = ConditionLayouts.SystemOffNormal,
            ConditionName = string.Create(CultureInfo.InvariantCulture, $"simulator {number}"),
            SourceName = Names[number % Lines],
        },
        isActive, (ushort)(LowestSeverity + (number % 800)), isActive ? "Simulated" : "Over: simulated");

    private EventRecord Make()
    {
        var layout = StandardEvents.Progress;
        _values = new Variant[layout.Fields.Count];
        _values[0] = Variant.FromByteString(_eventId);
        _values[1] = new Variant(layout.EventType);
        _values[2] = new Variant(Server);
        _values[6] = new Variant(new LocalizedText("A simulated event", "en"));
        return new EventRecord(layout, _values, nodes.Find(Server));
    }
}
