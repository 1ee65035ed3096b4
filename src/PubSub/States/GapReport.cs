using Gateway.Store;

namespace Gateway.PubSub.States;

/// <summary>Messages that were lost, and whose.</summary>
/// <param name="Gap">From when to when, and how many.</param>
/// <param name="Tags">The fields of the writers whose messages are lost, each with its writer's number of them: any of
/// these messages may have had a change of any of these fields.</param>
/// <param name="TagsLeftOff">Above <see cref="MaxTags"/>.</param>
/// <param name="ReportedAt">UTC, when the broker had the report; null: not yet.</param>
public sealed record GapReport(
    StoreGap Gap, IReadOnlyList<GapTag> Tags, int TagsLeftOff, DateTime? ReportedAt = null)
{
    /// <summary>In one report.</summary>
    public const int MaxTags = 1000;
}
