using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Events.Model;

namespace Gateway.Sources.OpcUa.Events;

/// <summary>The layouts of an upstream's events, one for each type: filters keep a plan for each, so they outlive a
/// connection as long as the same fields are asked for. Thread: the loop of events.</summary>
internal sealed class EventLayouts(NodeTable nodes, EventField[] fields)
{
    /// <summary>Beyond it, events of further types are of the nearest type of the standard.</summary>
    private const int MaxLayouts = 1_000;

    private static readonly NodeId BaseEventType = new(StandardIds.ObjectTypes.BaseEventType);
    private static readonly NodeId ConditionType = new(StandardIds.ObjectTypes.ConditionType);
    private static readonly NodeId AcknowledgeableConditionType = new(2881);
    private static readonly NodeId AlarmConditionType = new(2915);
    private static readonly NodeId AuditEventType = new(StandardIds.ObjectTypes.AuditEventType);

    private readonly Dictionary<(NodeId Type, bool IsCondition, bool IsAudit), EventLayout> _layouts = [];

    public EventField[] Fields => fields;

    /// <summary>A type that the gateway does not know counts as the nearest of the standard's that fits; the field
    /// EventType has its id all the same. An AuditEvent of the upstream is one here (R36).</summary>
    public EventLayout Of(NodeId type, Variant[] values, bool isCondition)
    {
        var isAudit = values[MirroredFields.ActionTime].Type == BuiltInType.DateTime;
        if (nodes.Find(type).IsNone || !nodes.IsSubtypeOf(type, BaseEventType))
            type = isAudit ? AuditEventType : NearestOf(values, isCondition);
        isAudit |= nodes.IsSubtypeOf(type, AuditEventType);
        if (_layouts.TryGetValue((type, isCondition, isAudit), out var layout))
            return layout;
        if (_layouts.Count >= MaxLayouts && type.NamespaceIndex != 0)
            return Of(isAudit ? AuditEventType : NearestOf(values, isCondition), values, isCondition);
        layout = new EventLayout(type, isCondition, fields) { IsAudit = isAudit };
        _layouts.Add((type, isCondition, isAudit), layout);
        return layout;
    }

    private static NodeId NearestOf(Variant[] values, bool isCondition) =>
        !isCondition ? BaseEventType
        : values[MirroredFields.Active].Type == BuiltInType.Boolean ? AlarmConditionType
        : values[MirroredFields.Acked].Type == BuiltInType.Boolean ? AcknowledgeableConditionType
        : ConditionType;
}
