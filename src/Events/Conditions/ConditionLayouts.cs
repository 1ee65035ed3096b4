using Gateway.Codec.Types;
using Gateway.Events.Model;

namespace Gateway.Events.Conditions;

/// <summary>The fields of alarms, and how a state fills them. Source: Part 9 §5.5.2, §5.7.2, §5.8.2, §5.8.24.</summary>
public static class ConditionLayouts
{
    private const uint SystemConditionClassType = 11166;
    private const uint SystemOffNormalAlarmType = 11753;
    private const uint CertificateExpirationAlarmType = 13225;

    private static readonly Field[] Fields =
    [
        new("EventId", BuiltInType.ByteString, static one => Variant.FromByteString(one.State.EventId), true),
        new("EventType", BuiltInType.NodeId, static one => new(one.Definition.Layout.EventType), true),
        new("SourceNode", BuiltInType.NodeId, static one => new(one.SourceNode), true),
        new("SourceName", BuiltInType.String, static one => new(one.Definition.SourceName), true),
        new("Time", BuiltInType.DateTime, static one => new(one.State.Time), true),
        new("ReceiveTime", BuiltInType.DateTime, static one => new(one.State.Time)),
        new("Message", BuiltInType.LocalizedText, static one => Text(one.State.Message)),
        new("Severity", BuiltInType.UInt16, static one => new(one.State.Severity)),
        new("ConditionClassId", BuiltInType.NodeId, static _ => new(new NodeId(SystemConditionClassType))),
        new("ConditionClassName", BuiltInType.LocalizedText, static _ => Text("System")),
        new("ConditionName", BuiltInType.String, static one => new(one.Definition.ConditionName)),
        new("BranchId", BuiltInType.NodeId, static one => new(one.State.BranchId)),
        new("Retain", BuiltInType.Boolean, static one => new(one.State.Retain), true),
        .. TwoStates("EnabledState", "Enabled", "Disabled", static state => state.Enabled, true),
        new("EnabledState/EffectiveDisplayName", BuiltInType.LocalizedText,
            static one => Text(one.State.Summary), true),
        new("Quality", BuiltInType.StatusCode, static one => new(one.State.Quality)),
        new("Quality/SourceTimestamp", BuiltInType.DateTime, static one => Time(one.State.QualitySince)),
        new("LastSeverity", BuiltInType.UInt16, static one => new(one.State.LastSeverity)),
        new("LastSeverity/SourceTimestamp", BuiltInType.DateTime, static one => Time(one.State.LastSeveritySince)),
        new("Comment", BuiltInType.LocalizedText, static one => new(one.State.Comment)),
        new("Comment/SourceTimestamp", BuiltInType.DateTime, static one => Time(one.State.CommentSince)),
        new("ClientUserId", BuiltInType.String, static one => new(one.State.ClientUserId)),
        .. TwoStates("AckedState", "Acknowledged", "Unacknowledged", static state => state.Acked),
        .. TwoStates("ConfirmedState", "Confirmed", "Unconfirmed", static state => state.Confirmed),
        .. TwoStates("ActiveState", "Active", "Inactive", static state => state.Active),
        .. TwoStates("SuppressedState", "Suppressed", "Unsuppressed", static state => state.Suppressed),
        .. TwoStates("OutOfServiceState", "Out of Service", "In Service", static state => state.OutOfService),
        new("ShelvingState/CurrentState", BuiltInType.LocalizedText,
            static one => Text(ShelvingTable.NameOf(one.State.Shelving.Kind))),
        new("ShelvingState/CurrentState/Id", BuiltInType.NodeId,
            static one => new(new NodeId(ShelvingTable.StateOf(one.State.Shelving.Kind)))),
        new("ShelvingState/LastTransition", BuiltInType.LocalizedText,
            static one => ShelvingTable.NameOfTransition(one.State.Shelving.Transition.Numeric) is { } name
                ? Text(name)
                : Variant.Null),
        new("ShelvingState/LastTransition/Id", BuiltInType.NodeId,
            static one => one.State.Shelving.Transition.IsNull ? Variant.Null : new(one.State.Shelving.Transition)),
        new("ShelvingState/LastTransition/TransitionTime", BuiltInType.DateTime,
            static one => Time(one.State.Shelving.Since)),
        new("ShelvingState/UnshelveTime", BuiltInType.Double, static one => new(one.UnshelveTime)),
        new("SuppressedOrShelved", BuiltInType.Boolean, static one => new(one.State.IsSuppressedOrShelved)),
        new("MaxTimeShelved", BuiltInType.Double, static one => new(one.MaxTimeShelved)),
        new("InputNode", BuiltInType.NodeId, static _ => new(NodeId.Null)),
        new("NormalState", BuiltInType.NodeId, static _ => new(NodeId.Null)),
    ];

    private static readonly EventField ConditionId = new(FieldPath.ConditionId, BuiltInType.NodeId);

    /// <summary>Something of the gateway is not as it should be.</summary>
    public static EventLayout SystemOffNormal { get; } = Of(SystemOffNormalAlarmType);

    /// <summary>Its own fields: ExpirationDate, ExpirationLimit, CertificateType, Certificate.</summary>
    public static EventLayout CertificateExpiration { get; } = Of(
        CertificateExpirationAlarmType,
        new(FieldPath.Of("ExpirationDate"), BuiltInType.DateTime),
        new(FieldPath.Of("ExpirationLimit"), BuiltInType.Double),
        new(FieldPath.Of("CertificateType"), BuiltInType.NodeId),
        new(FieldPath.Of("Certificate"), BuiltInType.ByteString));

    /// <summary>Null: there is none of that type.</summary>
    public static EventLayout? Find(NodeId eventType) =>
        eventType == SystemOffNormal.EventType ? SystemOffNormal
        : eventType == CertificateExpiration.EventType ? CertificateExpiration
        : null;

    /// <summary>A disabled condition has few fields; Bad_ConditionDisabled stands in place of the others. Source:
    /// Part 9 §5.5.2.</summary>
    internal static Variant[] Fill(in ConditionMoment moment)
    {
        var own = moment.Definition.OwnValues;
        var values = new Variant[1 + Fields.Length + own.Length];
        var disabled = new Variant(new StatusCode(StatusCodes.BadConditionDisabled));
        var isEnabled = moment.State.Enabled.Id;
        values[0] = new Variant(moment.Definition.ConditionId);
        for (var i = 0; i < Fields.Length; i++)
            values[1 + i] = isEnabled || Fields[i].IsAlways ? Fields[i].Read(moment) : disabled;
        for (var i = 0; i < own.Length; i++)
            values[1 + Fields.Length + i] = isEnabled ? own[i] : disabled;
        return values;
    }

    private static EventLayout Of(uint type, params EventField[] own) => new(
        new NodeId(type), isCondition: true,
        [ConditionId, .. Fields.Select(static one => new EventField(FieldPath.Of(one.Name), one.Type)), .. own]);

    private static Field[] TwoStates(
        string name, string whenTrue, string whenFalse, Func<ConditionState, TwoState> read, bool isAlways = false) =>
    [
        new(name, BuiltInType.LocalizedText, one => Text(read(one.State).Id ? whenTrue : whenFalse), isAlways),
        new($"{name}/Id", BuiltInType.Boolean, one => new(read(one.State).Id), isAlways),
        new($"{name}/TransitionTime", BuiltInType.DateTime, one => Time(read(one.State).Since), isAlways),
    ];

    private static Variant Text(string text) => new(new LocalizedText(text, "en"));

    private static Variant Time(DateTime time) => time == default ? Variant.Null : new(time);

    /// <param name="Name">Its path.</param>
    /// <param name="Type">Of its value.</param>
    /// <param name="Read">From the moment.</param>
    /// <param name="IsAlways">A disabled condition has it, too.</param>
    private readonly record struct Field(
        string Name, BuiltInType Type, Func<ConditionMoment, Variant> Read, bool IsAlways = false);
}
