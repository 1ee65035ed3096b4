using Gateway.Codec.Types;

namespace Gateway.Events.Conditions;

/// <summary>The state of a condition, or of a branch of it, for another process: times are of the wall clock.
/// Immutable.</summary>
public sealed record KeptState
{
    /// <summary>Null: the present state.</summary>
    public NodeId BranchId { get; init; }

    /// <summary>Good for an answer, the last one last.</summary>
    public required IReadOnlyList<byte[]> EventIds { get; init; }

    /// <summary>Of the last notification, UTC; so are the times of the states.</summary>
    public DateTime Time { get; init; }

    public TwoState Enabled { get; init; }

    public TwoState Active { get; init; }

    public TwoState Acked { get; init; }

    public TwoState Confirmed { get; init; }

    public TwoState Suppressed { get; init; }

    public TwoState OutOfService { get; init; }

    public ShelvingKind Shelving { get; init; }

    public DateTime ShelvingSince { get; init; }

    /// <summary>The end of the shelving, UTC.</summary>
    public DateTime ShelvedUntil { get; init; }

    public ushort Severity { get; init; }

    public ushort LastSeverity { get; init; }

    public DateTime LastSeveritySince { get; init; }

    public string Message { get; init; } = "";

    public LocalizedText Comment { get; init; }

    public DateTime CommentSince { get; init; }

    public string? ClientUserId { get; init; }
}
