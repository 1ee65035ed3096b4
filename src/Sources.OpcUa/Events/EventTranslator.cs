using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Events.Model;
using Gateway.Sources.OpcUa.Namespaces;

namespace Gateway.Sources.OpcUa.Events;

/// <summary>Makes of an upstream's event the gateway's: every id in the gateway's namespaces, our ReceiveTime, all else
/// untouched, EventId and Time among it. A value of another type than its field has is Bad_TypeMismatch in its place.
/// Thread: the loop of events. Source: Part 5 §6.4.2, Part 9 §5.5.2.</summary>
internal sealed class EventTranslator(
    NodeTable nodes, NamespaceMap map, EventLayouts layouts, NodeId root, TimeProvider time)
{
    private const int MaxEventIdBytes = 1_024;

    /// <summary>Null: it has no EventId, no type, or a condition that cannot be named here; or nobody may see it.
    /// </summary>
    public EventRecord? Translate(Variant[] fields)
    {
        if (fields.Length != layouts.Fields.Length ||
            fields[MirroredFields.EventId].AsByteString() is not { Length: > 0 and <= MaxEventIdBytes })
            return null;
        var values = new Variant[fields.Length];
        for (var i = 0; i < values.Length; i++)
            values[i] = MapField(fields[i], layouts.Fields[i].Type);
        values[MirroredFields.ReceiveTime] = new Variant(time.GetUtcNow().UtcDateTime);
        var type = values[MirroredFields.EventType].AsNodeId();
        var isCondition = !fields[MirroredFields.ConditionId].AsNodeId().IsNull;
        if (type.IsNull || (isCondition && values[MirroredFields.ConditionId].AsNodeId().IsNull))
            return null;
        var top = nodes.Find(root);
        if (!MirroredSource.TryFind(nodes, values[MirroredFields.SourceNode].AsNodeId(), top, out var source))
            return null;
        NamedNodes.Hide(nodes, values, MirroredFields.LeastCount, source, map.Structures?.Current);
        return new EventRecord(layouts.Of(type, values, isCondition), values, source) { Root = top };
    }

    private Variant MapField(in Variant value, BuiltInType type)
    {
        if (value.Type == BuiltInType.Null)
            return value;
        if (value.Type != type && type != BuiltInType.Variant && value.Type != BuiltInType.StatusCode)
            return new Variant(new StatusCode(StatusCodes.BadTypeMismatch));
        var mapper = map.ToLocal();
        var mapped = mapper.Map(value);
        return mapper.Failed ? new Variant(new StatusCode(StatusCodes.BadNodeIdUnknown)) : mapped;
    }
}
