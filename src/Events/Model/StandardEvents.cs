using Gateway.Codec.Types;

namespace Gateway.Events.Model;

/// <summary>The layouts of the standard's events that have the fields of BaseEventType alone. Source: Part 5 §6.4.
/// </summary>
public static class StandardEvents
{
    /// <summary>In the order in which <see cref="EventMaker"/> fills them.</summary>
    private static readonly EventField[] BaseFields =
    [
        new(FieldPath.Of("EventId"), BuiltInType.ByteString),
        new(FieldPath.Of("EventType"), BuiltInType.NodeId),
        new(FieldPath.Of("SourceNode"), BuiltInType.NodeId),
        new(FieldPath.Of("SourceName"), BuiltInType.String),
        new(FieldPath.Of("Time"), BuiltInType.DateTime),
        new(FieldPath.Of("ReceiveTime"), BuiltInType.DateTime),
        new(FieldPath.Of("Message"), BuiltInType.LocalizedText),
        new(FieldPath.Of("Severity"), BuiltInType.UInt16),
    ];

    public static int BaseFieldCount => BaseFields.Length;

    public static EventLayout SystemEvent { get; } = Of(StandardIds.ObjectTypes.SystemEventType);

    public static EventLayout DeviceFailure { get; } = Of(StandardIds.ObjectTypes.DeviceFailureEventType);

    /// <summary>Its own fields: Context, Progress. Source: Part 5 §6.4.33.</summary>
    public static EventLayout Progress { get; } = new(
        new NodeId(StandardIds.ObjectTypes.ProgressEventType), isCondition: false,
        [
            .. BaseFields, new(FieldPath.Of("Context"), BuiltInType.Variant),
            new(FieldPath.Of("Progress"), BuiltInType.UInt16),
        ]);

    public static EventLayout QueueOverflow { get; } = Of(StandardIds.ObjectTypes.EventQueueOverflowEventType);

    public static EventLayout RefreshStart { get; } = Of(StandardIds.ObjectTypes.RefreshStartEventType);

    public static EventLayout RefreshEnd { get; } = Of(StandardIds.ObjectTypes.RefreshEndEventType);

    public static EventLayout RefreshRequired { get; } = Of(StandardIds.ObjectTypes.RefreshRequiredEventType);

    /// <summary>Of a type with fields of its own behind those of BaseEventType.</summary>
    public static EventLayout Of(uint type, IEnumerable<EventField> fields) =>
        new(new NodeId(type), isCondition: false, [.. BaseFields, .. fields]);

    private static EventLayout Of(uint type) => new(new NodeId(type), isCondition: false, BaseFields);

    /// <summary>The same for those who may read the audit trail.</summary>
    public static EventLayout OfAudit(uint type, IEnumerable<EventField> fields) =>
        new(new NodeId(type), isCondition: false, [.. BaseFields, .. fields]) { IsAudit = true };
}
