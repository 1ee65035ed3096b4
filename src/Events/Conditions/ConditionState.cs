using Gateway.Codec.Types;

namespace Gateway.Events.Conditions;

/// <summary>All that a notification of a condition says, of its present state or of a branch. Immutable: a branch is
/// the state that was left behind. Source: Part 9 §5.5.2, §5.7.2, §5.8.2.</summary>
internal sealed record ConditionState
{
    /// <summary>Null: the present state.</summary>
    public NodeId BranchId { get; init; }

    /// <summary>Of the last notification; empty before the first.</summary>
    public byte[] EventId { get; init; } = [];

    /// <summary>Of the last notification.</summary>
    public DateTime Time { get; init; }

    public bool Retain { get; init; }

    public TwoState Enabled { get; init; } = new(true, default);

    public TwoState Active { get; init; }

    public TwoState Acked { get; init; } = new(true, default);

    public TwoState Confirmed { get; init; } = new(true, default);

    public TwoState Suppressed { get; init; }

    public TwoState OutOfService { get; init; }

    public Shelving Shelving { get; init; }

    public ushort Severity { get; init; }

    public ushort LastSeverity { get; init; }

    public DateTime LastSeveritySince { get; init; }

    public StatusCode Quality { get; init; }

    public DateTime QualitySince { get; init; }

    public string Message { get; init; } = "";

    public LocalizedText Comment { get; init; }

    public DateTime CommentSince { get; init; }

    /// <summary>The user of the last comment.</summary>
    public string? ClientUserId { get; init; }

    public bool IsSuppressedOrShelved => Suppressed.Id || OutOfService.Id || Shelving.IsShelved;

    /// <summary>Somebody has to acknowledge or confirm it.</summary>
    public bool IsOpen => !Acked.Id || !Confirmed.Id;

    /// <summary>In the words of EffectiveDisplayName.</summary>
    public string Summary => !Enabled.Id
        ? "Disabled"
        : (Active.Id ? "Active" : "Inactive") +
        (Acked.Id ? Confirmed.Id ? "" : " | Unconfirmed" : " | Unacknowledged") +
        (IsSuppressedOrShelved ? " | Suppressed" : "");
}
