using Gateway.Events.Model;

namespace Gateway.Events.Delivery;

/// <summary>A notification of a condition, or of a branch, and that before it.</summary>
/// <param name="Record">The event.</param>
/// <param name="Before">Null: there is none that somebody may have.</param>
/// <param name="Place">The condition's of <see cref="ConditionPlaces"/>; −1: it has none, and was never retained.
/// </param>
public readonly record struct ConditionNotice(EventRecord Record, EventRecord? Before, int Place)
{
    /// <summary>Only items that have shown the condition as retained get it, with Retain false.</summary>
    public bool EndsOnly { get; init; }

    /// <summary>The place goes to another condition although this one is retained: items do not remember it.</summary>
    public bool IsForgotten { get; init; }

    /// <param name="isEnding">It passes the items' filter no longer.</param>
    /// <param name="isRetained">The record is.</param>
    internal ShownMark MarkOf(bool isEnding, bool isRetained) => isEnding || EndsOnly ? ShownMark.EndsShown
        : Place < 0 ? ShownMark.None
        : isRetained && !IsForgotten ? ShownMark.Shows
        : ShownMark.Ends;
}
