using Gateway.Codec.Types;

namespace Gateway.Events.Conditions;

/// <summary>A call of a method of a condition.</summary>
/// <param name="Act">The method.</param>
/// <param name="User">For ClientUserId.</param>
public readonly record struct ConditionCall(ConditionAct Act, string? User)
{
    /// <summary>Of the notification that is answered; for Acknowledge, Confirm, AddComment.</summary>
    public byte[] EventId { get; init; } = [];

    /// <summary>Null: the last comment stays. An empty text with a locale clears it.</summary>
    public LocalizedText Comment { get; init; }

    /// <summary>Milliseconds, of TimedShelve.</summary>
    public double ShelvingTime { get; init; }
}
