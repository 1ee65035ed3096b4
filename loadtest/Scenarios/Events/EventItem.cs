using System.Globalization;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Loadtest.Scenarios.Events;

/// <summary>The monitored item of a client: on the Server object, with the fields of a usual list of events, and with
/// one of the distinct filters.</summary>
internal static class EventItem
{
    public const int EventType = 0;
    public const int SourceName = 1;
    public const int Time = 2;
    public const int Context = 3;
    public const int FieldCount = 7;

    private const string Line = "Line ";

    private static readonly string[] Fields =
        ["EventType", "SourceName", "Time", "Context", "Severity", "Message", "EventId"];

    /// <summary>Only events of one line of the plant pass.</summary>
    public static MonitoredItemCreateRequest OfLine(int line, uint queueSize) => Of(
        queueSize,
        Element(FilterOperator.And, Operand(1), Operand(2)),
        Element(FilterOperator.Equals, Operand("SourceName"), Operand(new Variant(NameOf(line)))),
        Element(FilterOperator.GreaterThan, Operand("Severity"), Operand(new Variant((ushort)1))));

    /// <summary>Everything passes.</summary>
    public static MonitoredItemCreateRequest OfAll(uint queueSize) => Of(queueSize);

    public static string NameOf(int line) => string.Create(CultureInfo.InvariantCulture, $"{Line}{line}");

    /// <summary>The gateway has alarms of its own, as that it is late.</summary>
    public static bool IsOfPlant(Variant[] fields) =>
        fields[SourceName].AsString()?.StartsWith(Line, StringComparison.Ordinal) == true;

    private static MonitoredItemCreateRequest Of(uint queueSize, params ContentFilterElement[] where) => new()
    {
        ItemToMonitor = new ReadValueId
        {
            NodeId = new NodeId(StandardIds.Objects.Server),
            AttributeId = (uint)AttributeId.EventNotifier,
        },
        MonitoringMode = MonitoringMode.Reporting,
        RequestedParameters = new MonitoringParameters
        {
            QueueSize = queueSize,
            DiscardOldest = true,
            Filter = new ExtensionObject(new EventFilter
            {
                SelectClauses = Array.ConvertAll(Fields, FieldOf),
                WhereClause = new ContentFilter { Elements = where },
            }),
        },
    };

    private static SimpleAttributeOperand FieldOf(string name) => new()
    {
        TypeDefinitionId = new NodeId(name == "Context"
            ? StandardIds.ObjectTypes.ProgressEventType
            : StandardIds.ObjectTypes.BaseEventType),
        BrowsePath = [new QualifiedName(name)],
        AttributeId = (uint)AttributeId.Value,
    };

    private static ContentFilterElement Element(FilterOperator kind, params ExtensionObject[] operands) =>
        new() { FilterOperator = kind, FilterOperands = operands };

    private static ExtensionObject Operand(int element) => new(new ElementOperand { Index = (uint)element });

    private static ExtensionObject Operand(string field) => new(FieldOf(field));

    private static ExtensionObject Operand(in Variant literal) => new(new LiteralOperand { Value = literal });
}
