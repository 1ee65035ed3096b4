using Gateway.Codec.Types;

namespace Gateway.Events.Conditions;

/// <summary>A condition, or a branch of it, as operators see it.</summary>
public sealed record ConditionReport
{
    public required NodeId ConditionId { get; init; }

    public required string ConditionName { get; init; }

    /// <summary>Null: the Server object.</summary>
    public required NodeId Source { get; init; }

    public required string SourceName { get; init; }

    public required NodeId EventType { get; init; }

    /// <summary>Null: the present state.</summary>
    public required NodeId BranchId { get; init; }

    /// <summary>Of its last notification: an answer names it.</summary>
    public required byte[] EventId { get; init; }

    /// <summary>Of its last notification.</summary>
    public required DateTime Time { get; init; }

    public required bool Retain { get; init; }

    public required bool IsEnabled { get; init; }

    public required TwoState Active { get; init; }

    public required bool IsAcked { get; init; }

    public required bool IsConfirmed { get; init; }

    public required bool IsSuppressed { get; init; }

    public required bool IsOutOfService { get; init; }

    public required ShelvingKind Shelving { get; init; }

    public required ushort Severity { get; init; }

    public required ushort LastSeverity { get; init; }

    public required string Message { get; init; }

    public required LocalizedText Comment { get; init; }

    public required string? User { get; init; }

    /// <summary>Its name; null: the condition is the gateway's own.</summary>
    public string? Upstream { get; init; }

    /// <summary>Of the data behind it: Bad_NoCommunication while its upstream is away.</summary>
    public StatusCode Quality { get; init; }

    internal static ConditionReport Of(ConditionDefinition definition, ConditionState state) => new()
    {
        ConditionId = definition.ConditionId,
        ConditionName = definition.ConditionName,
        Source = definition.Source,
        SourceName = definition.SourceName,
        EventType = definition.Layout.EventType,
        BranchId = state.BranchId,
        EventId = state.EventId,
        Time = state.Time,
        Retain = state.Retain,
        IsEnabled = state.Enabled.Id,
        Active = state.Active,
        IsAcked = state.Acked.Id,
        IsConfirmed = state.Confirmed.Id,
        IsSuppressed = state.Suppressed.Id,
        IsOutOfService = state.OutOfService.Id,
        Shelving = state.Shelving.Kind,
        Severity = state.Severity,
        LastSeverity = state.LastSeverity,
        Message = state.Message,
        Comment = state.Comment,
        User = state.ClientUserId,
    };
}
