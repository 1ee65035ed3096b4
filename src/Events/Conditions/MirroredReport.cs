using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;
using Gateway.Events.Model;

namespace Gateway.Events.Conditions;

/// <summary>A notification of an upstream as operators see it. A field without a value, or with one of another type, is
/// as of a condition that does not have it.</summary>
internal static class MirroredReport
{
    private const uint TimedShelved = 2932;
    private const uint OneShotShelved = 2933;

    public static ConditionReport Of(EventRecord record, NodeTable nodes)
    {
        var values = record.Values;
        return new ConditionReport
        {
            ConditionId = values[MirroredFields.ConditionId].AsNodeId(),
            Upstream = nodes.Exists(record.Root) ? nodes.GetNodeId(record.Root).String : null,
            ConditionName = values[MirroredFields.ConditionName].AsString() ?? "",
            Source = nodes.Exists(record.Source) ? nodes.GetNodeId(record.Source) : NodeId.Null,
            SourceName = values[MirroredFields.SourceName].AsString() ?? "",
            EventType = values[MirroredFields.EventType].AsNodeId(),
            BranchId = values[MirroredFields.BranchId].AsNodeId(),
            EventId = values[MirroredFields.EventId].AsByteString() ?? [],
            Time = values[MirroredFields.Time].AsDateTime(),
            Retain = Is(values[MirroredFields.Retain], false),
            IsEnabled = Is(values[MirroredFields.Enabled], true),
            Active = new TwoState(
                Is(values[MirroredFields.Active], false), values[MirroredFields.ActiveTime].AsDateTime()),
            IsAcked = Is(values[MirroredFields.Acked], true),
            IsConfirmed = Is(values[MirroredFields.Confirmed], true),
            IsSuppressed = Is(values[MirroredFields.Suppressed], false),
            IsOutOfService = Is(values[MirroredFields.OutOfService], false),
            Shelving = ShelvingOf(values[MirroredFields.Shelving].AsNodeId()),
            Severity = NumberIn(values[MirroredFields.Severity]),
            LastSeverity = NumberIn(values[MirroredFields.LastSeverity]),
            Message = values[MirroredFields.Message].AsLocalizedText().Text ?? "",
            Comment = values[MirroredFields.Comment].AsLocalizedText(),
            User = values[MirroredFields.ClientUserId].AsString(),
            Quality = values[MirroredFields.Quality] is { Type: BuiltInType.StatusCode } quality
                ? quality.AsStatusCode()
                : StatusCode.Good,
        };
    }

    private static bool Is(in Variant value, bool otherwise) =>
        value.Type == BuiltInType.Boolean ? value.AsBoolean() : otherwise;

    private static ushort NumberIn(in Variant value) =>
        value.Type == BuiltInType.UInt16 ? (ushort)value.AsInt64() : (ushort)0;

    private static ShelvingKind ShelvingOf(NodeId state) => state switch
    {
        { NamespaceIndex: 0, Numeric: TimedShelved } => ShelvingKind.TimedShelved,
        { NamespaceIndex: 0, Numeric: OneShotShelved } => ShelvingKind.OneShotShelved,
        _ => ShelvingKind.Unshelved,
    };
}
