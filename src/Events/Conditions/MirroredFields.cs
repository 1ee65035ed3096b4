using Gateway.Codec.Types;
using Gateway.Events.Model;

namespace Gateway.Events.Conditions;

/// <summary>The fields that each event of an upstream has here, in this order; those of its own types follow. The
/// constants are their places in <see cref="EventRecord.Values"/>. Source: Part 5 §6.4.2, Part 9 §5.5 to §5.8.
/// </summary>
public static class MirroredFields
{
    public const int ConditionId = 0;
    public const int EventId = 1;
    public const int EventType = 2;
    public const int SourceNode = 3;
    public const int SourceName = 4;
    public const int Time = 5;
    public const int ReceiveTime = 6;
    public const int Message = 7;
    public const int Severity = 8;
    public const int ConditionName = 9;
    public const int BranchId = 10;
    public const int Retain = 11;
    public const int Enabled = 12;
    public const int Quality = 13;
    public const int QualityTime = 14;
    public const int LastSeverity = 15;
    public const int Comment = 16;
    public const int ClientUserId = 17;
    public const int Acked = 18;
    public const int Confirmed = 19;
    public const int ActiveState = 20;
    public const int Active = 21;
    public const int ActiveTime = 22;
    public const int Suppressed = 23;
    public const int OutOfService = 24;
    public const int Shelving = 25;

    /// <summary>Only an AuditEvent has it: so an event of a type that the gateway does not know is one, too. The
    /// upstream knows its own types.</summary>
    public const int ActionTime = 26;

    /// <summary>A server that refuses all of them is asked for the first ones alone.</summary>
    public const int LeastCount = 27;

    private static readonly EventField[] Fields =
    [
        new(FieldPath.ConditionId, BuiltInType.NodeId),
        Of("EventId", BuiltInType.ByteString), Of("EventType", BuiltInType.NodeId),
        Of("SourceNode", BuiltInType.NodeId), Of("SourceName", BuiltInType.String),
        Of("Time", BuiltInType.DateTime), Of("ReceiveTime", BuiltInType.DateTime),
        Of("Message", BuiltInType.LocalizedText), Of("Severity", BuiltInType.UInt16),
        Of("ConditionName", BuiltInType.String), Of("BranchId", BuiltInType.NodeId),
        Of("Retain", BuiltInType.Boolean), Of("EnabledState/Id", BuiltInType.Boolean),
        Of("Quality", BuiltInType.StatusCode), Of("Quality/SourceTimestamp", BuiltInType.DateTime),
        Of("LastSeverity", BuiltInType.UInt16),
        Of("Comment", BuiltInType.LocalizedText), Of("ClientUserId", BuiltInType.String),
        Of("AckedState/Id", BuiltInType.Boolean), Of("ConfirmedState/Id", BuiltInType.Boolean),
        Of("ActiveState", BuiltInType.LocalizedText), Of("ActiveState/Id", BuiltInType.Boolean),
        Of("ActiveState/TransitionTime", BuiltInType.DateTime),
        Of("SuppressedState/Id", BuiltInType.Boolean), Of("OutOfServiceState/Id", BuiltInType.Boolean),
        Of("ShelvingState/CurrentState/Id", BuiltInType.NodeId),
        Of("ActionTimeStamp", BuiltInType.DateTime),

        Of("LocalTime", BuiltInType.ExtensionObject),
        Of("ConditionClassId", BuiltInType.NodeId), Of("ConditionClassName", BuiltInType.LocalizedText),
        Of("ConditionSubClassId", BuiltInType.NodeId), Of("ConditionSubClassName", BuiltInType.LocalizedText),
        .. Texts("EnabledState", "AckedState", "ConfirmedState"),
        Of("EnabledState/EffectiveDisplayName", BuiltInType.LocalizedText),
        Of("ActiveState/EffectiveDisplayName", BuiltInType.LocalizedText),
        .. Texts("SuppressedState", "OutOfServiceState"),
        Of("LastSeverity/SourceTimestamp", BuiltInType.DateTime),
        Of("Comment/SourceTimestamp", BuiltInType.DateTime),
        Of("InputNode", BuiltInType.NodeId), Of("SuppressedOrShelved", BuiltInType.Boolean),
        Of("MaxTimeShelved", BuiltInType.Double),
        Of("ShelvingState/CurrentState", BuiltInType.LocalizedText),
        Of("ShelvingState/LastTransition", BuiltInType.LocalizedText),
        Of("ShelvingState/LastTransition/Id", BuiltInType.NodeId),
        Of("ShelvingState/LastTransition/TransitionTime", BuiltInType.DateTime),
        Of("ShelvingState/UnshelveTime", BuiltInType.Double),
        Of("SilenceState", BuiltInType.LocalizedText), Of("SilenceState/Id", BuiltInType.Boolean),
        Of("LatchedState", BuiltInType.LocalizedText), Of("LatchedState/Id", BuiltInType.Boolean),
        Of("NormalState", BuiltInType.NodeId), Of("SetpointNode", BuiltInType.NodeId),
        Of("HighHighLimit", BuiltInType.Double), Of("HighLimit", BuiltInType.Double),
        Of("LowLimit", BuiltInType.Double), Of("LowLowLimit", BuiltInType.Double),
        Of("LimitState/CurrentState", BuiltInType.LocalizedText),
        Of("LimitState/CurrentState/Id", BuiltInType.NodeId),
        Of("LimitState/LastTransition", BuiltInType.LocalizedText),
        Of("LimitState/LastTransition/Id", BuiltInType.NodeId),
        .. States("HighHighState", "HighState", "LowState", "LowLowState"),
        Of("ExpirationDate", BuiltInType.DateTime), Of("ExpirationLimit", BuiltInType.Double),
        Of("CertificateType", BuiltInType.NodeId), Of("Certificate", BuiltInType.ByteString),
        Of("DialogState", BuiltInType.LocalizedText), Of("DialogState/Id", BuiltInType.Boolean),
        Of("Prompt", BuiltInType.LocalizedText), Of("ResponseOptionSet", BuiltInType.LocalizedText),
        Of("DefaultResponse", BuiltInType.Int32), Of("OkResponse", BuiltInType.Int32),
        Of("CancelResponse", BuiltInType.Int32), Of("LastResponse", BuiltInType.Int32),
        Of("Transition", BuiltInType.LocalizedText), Of("Transition/Id", BuiltInType.Variant),
        Of("FromState", BuiltInType.LocalizedText), Of("FromState/Id", BuiltInType.Variant),
        Of("ToState", BuiltInType.LocalizedText), Of("ToState/Id", BuiltInType.Variant),
        Of("SystemState", BuiltInType.Int32),
        Of("Context", BuiltInType.Variant), Of("Progress", BuiltInType.UInt16),
        Of("Changes", BuiltInType.ExtensionObject),
    ];

    /// <summary>A field of the type Variant may have a value of any type.</summary>
    public static IReadOnlyList<EventField> All => Fields;

    private static EventField Of(string path, BuiltInType type) => new(FieldPath.Of(path), type);

    /// <summary>Of TwoStateVariables whose Id is above.</summary>
    private static IEnumerable<EventField> Texts(params string[] names) => names.SelectMany(static name => new[]
    {
        Of(name, BuiltInType.LocalizedText), Of($"{name}/TransitionTime", BuiltInType.DateTime),
    });

    private static IEnumerable<EventField> States(params string[] names) => names.SelectMany(static name => new[]
    {
        Of(name, BuiltInType.LocalizedText), Of($"{name}/Id", BuiltInType.Boolean),
        Of($"{name}/TransitionTime", BuiltInType.DateTime),
    });
}
