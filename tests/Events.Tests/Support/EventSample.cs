using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Standard;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Filters;
using Gateway.Events.Model;

namespace Gateway.Events.Tests.Support;

/// <summary>The standard's types, and events with a field for each case.</summary>
internal static class EventSample
{
    public const uint BaseEventType = 2041;
    public const uint ConditionType = 2782;
    public const uint AcknowledgeableConditionType = 2881;
    public const uint AlarmConditionType = 2915;
    public const uint SystemEventType = 2130;

    public static NodeTable Nodes { get; } = Load();

    public static FilterCompiler Compiler { get; } = new(Nodes, new EventFilterLimits());

    public static EventLayout Plain { get; } = new(new NodeId(SystemEventType), isCondition: false,
    [
        new(FieldPath.Of("Severity"), BuiltInType.UInt16),
        new(FieldPath.Of("Message"), BuiltInType.LocalizedText),
        new(FieldPath.Of("SourceName"), BuiltInType.String),
        new(FieldPath.Of("Numbers"), BuiltInType.Int32),
        new(FieldPath.Of("Broken"), BuiltInType.Double),
        new(FieldPath.Of("Code"), BuiltInType.StatusCode),
    ]);

    public static EventLayout Alarm { get; } = new(new NodeId(AlarmConditionType), isCondition: true,
    [
        new(FieldPath.ConditionId, BuiltInType.NodeId),
        new(FieldPath.Of("Severity"), BuiltInType.UInt16),
        new(FieldPath.Of("ActiveState/Id"), BuiltInType.Boolean),
        new(FieldPath.Of("Retain"), BuiltInType.Boolean),
    ]);

    public static EventRecord MakePlain(ushort severity = 500) => new(Plain,
    [
        new Variant(severity),
        new Variant(new LocalizedText("Pump 7 is hot", "en")),
        Variant.Null,
        Variant.FromArray(BuiltInType.Int32, new[] { 1, 2, 3 }),
        new Variant(new StatusCode(StatusCodes.BadUserAccessDenied)),
        new Variant(new StatusCode(StatusCodes.BadTimeout)),
    ], default);

    public static EventRecord MakeAlarm() => new(Alarm,
        [new Variant(new NodeId("alarm", 2)), new Variant((ushort)700), new Variant(true), new Variant(true)], default);

    public static SimpleAttributeOperand Field(string path, uint type = BaseEventType, string? range = null) => new()
    {
        TypeDefinitionId = new NodeId(type),
        BrowsePath = path.Length == 0
            ? null
            : Array.ConvertAll(path.Split('/'), static name => new QualifiedName(name)),
        AttributeId = path.Length == 0 ? (uint)AttributeId.NodeId : (uint)AttributeId.Value,
        IndexRange = range,
    };

    public static ExtensionObject Literal(Variant value) => new(new LiteralOperand { Value = value });

    public static ExtensionObject Element(uint index) => new(new ElementOperand { Index = index });

    public static ExtensionObject Of(string path, uint type = BaseEventType) => new(Field(path, type));

    public static ContentFilterElement Element(FilterOperator kind, params ExtensionObject[] operands) =>
        new() { FilterOperator = kind, FilterOperands = operands };

    public static EventFilter Where(params ContentFilterElement[] elements) => new()
    {
        SelectClauses = [Field("Severity")],
        WhereClause = new ContentFilter { Elements = elements },
    };

    private static NodeTable Load()
    {
        var nodes = new NodeTable();
        StandardNodes.Load(nodes, new ValueStore(TimeProvider.System));
        return nodes;
    }
}
