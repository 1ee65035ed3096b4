using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
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

    private static readonly EventLayout Respond = Of(
        AuditConditionRespondEventType, new EventField(FieldPath.Of("SelectedResponse"), BuiltInType.UInt32));

    private static readonly EventLayout Comment = OfAnswer(AuditConditionCommentEventType);
    private static readonly EventLayout Acknowledge = OfAnswer(AuditConditionAcknowledgeEventType);
    private static readonly EventLayout Confirm = OfAnswer(AuditConditionConfirmEventType);

    /// <summary>By the MethodId on the type.</summary>
    private static readonly Dictionary<uint, (EventLayout Layout, string SourceName)> Methods = MakeMethods();

    /// <summary>Null: no method of conditions.</summary>
    public static EventLayout? LayoutOf(NodeId method) => Find(method)?.Layout;

    /// <summary>As Part 9 §5.10.2 wants it, which differs from other methods. Null: no method of conditions.</summary>
    public static string? SourceNameOf(NodeId method) => Find(method)?.SourceName;

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
        else if (layout == Respond)
        {
            // The method has an Int32, the event a UInt32. A negative one is no response: the arguments show it.
            own[next] = inputs.Length > 0 && inputs[0].Type == BuiltInType.Int32 && inputs[0].AsInt32() >= 0
                ? new Variant((uint)inputs[0].AsInt32())
                : default;
        }
    }

    private static (EventLayout Layout, string SourceName)? Find(NodeId method) =>
        method is { NamespaceIndex: 0, IdType: IdType.Numeric } && Methods.TryGetValue(method.Numeric, out var found)
            ? found
            : null;

    private static Dictionary<uint, (EventLayout Layout, string SourceName)> MakeMethods()
    {
        var methods = new Dictionary<uint, (EventLayout, string)>
        {
            [9069] = (Respond, "Method/Respond"),
            [24312] = (Respond, "Method/Respond2"),
            [16402] = (Silence, "Method/Silence"),
            [18199] = (Reset, "Method/Reset"),
            [24324] = (Reset, "Method/Reset2"),
        };
        foreach (var (id, method) in ConditionMethod.ById)
        {
            if (method.Act is { } act)
                methods.Add(id, (LayoutOf(act), "Method/" + method.Name));
        }

        return methods;
    }

    private static EventLayout LayoutOf(ConditionAct act) => act switch
    {
        ConditionAct.Enable or ConditionAct.Disable => Enable,
        ConditionAct.AddComment => Comment,
        ConditionAct.Acknowledge => Acknowledge,
        ConditionAct.Confirm => Confirm,
        ConditionAct.TimedShelve or ConditionAct.OneShotShelve or ConditionAct.Unshelve => Shelving,
        ConditionAct.Suppress or ConditionAct.Unsuppress => Suppression,
        _ => OutOfService,
    };

    private static EventLayout OfAnswer(uint type) => Of(
        type, new EventField(FieldPath.Of("ConditionEventId"), BuiltInType.ByteString),
        new EventField(FieldPath.Of("Comment"), BuiltInType.LocalizedText));

    private static EventLayout Of(uint type, params EventField[] own) =>
        StandardEvents.OfAudit(type, [.. AuditLayouts.MethodFields, .. own]);
}
