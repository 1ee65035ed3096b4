using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Model;
using static Gateway.Codec.Types.StandardIds.ObjectTypes;

namespace Gateway.Server.Audit.Trail;

/// <summary>The AuditEvents of the methods of conditions: each has its own type. Clients name the method of the type.
/// Source: Part 9 §5.10.</summary>
internal static class ConditionAudit
{
    private static readonly EventLayout Enable = Of(AuditConditionEnableEventType);
    private static readonly EventLayout Suppression = Of(AuditConditionSuppressionEventType);
    private static readonly EventLayout Silence = Of(AuditConditionSilenceEventType);
    private static readonly EventLayout Reset = Of(AuditConditionResetEventType);
    private static readonly EventLayout OutOfService = Of(AuditConditionOutOfServiceEventType);
    private static readonly EventLayout Shelving = Of(
        AuditConditionShelvingEventType, new EventField(FieldPath.Of("ShelvingTime"), BuiltInType.Double));

    private static readonly EventLayout Comment = OfAnswer(AuditConditionCommentEventType);
    private static readonly EventLayout Acknowledge = OfAnswer(AuditConditionAcknowledgeEventType);
    private static readonly EventLayout Confirm = OfAnswer(AuditConditionConfirmEventType);

    /// <summary>Null: no method of conditions.</summary>
    public static EventLayout? LayoutOf(NodeId method) => method is { NamespaceIndex: 0, IdType: IdType.Numeric }
        ? method.Numeric switch
        {
            9027 or 9028 => Enable,
            9029 => Comment,
            9111 => Acknowledge,
            9113 => Confirm,
            2947 or 2948 or 2949 or 9211 or 9212 or 9213 or 24738 or 24740 or 24742 => Shelving,
            16403 or 17868 or 24316 or 24318 => Suppression,
            17869 or 17870 or 24320 or 24322 => OutOfService,
            16402 => Silence,
            18199 or 24324 => Reset,
            _ => null,
        }
        : null;

    /// <summary>The fields behind those of a method, from its arguments.</summary>
    public static void Fill(EventLayout layout, Variant[] own, int next, CallMethodRequest call)
    {
        var inputs = call.InputArguments ?? [];
        if (layout == Comment || layout == Acknowledge || layout == Confirm)
        {
            own[next] = inputs.Length > 0 ? inputs[0] : default;
            own[next + 1] = inputs.Length > 1 ? inputs[1] : default;
        }
        else if (layout == Shelving)
        {
            own[next] = inputs.Length > 0 && inputs[0].Type == BuiltInType.Double ? inputs[0] : default;
        }
    }

    private static EventLayout OfAnswer(uint type) => Of(
        type, new EventField(FieldPath.Of("ConditionEventId"), BuiltInType.ByteString),
        new EventField(FieldPath.Of("Comment"), BuiltInType.LocalizedText));

    private static EventLayout Of(uint type, params EventField[] own) =>
        StandardEvents.OfAudit(type, [.. AuditLayouts.MethodFields, .. own]);
}
