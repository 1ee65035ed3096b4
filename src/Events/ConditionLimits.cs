using System.Text;
using Gateway.Codec.Types;

namespace Gateway.Events;

/// <summary>Bounds of conditions (R44).</summary>
public sealed record ConditionLimits
{
    /// <summary>Conditions that the gateway knows. Beyond it one that is of no interest any more makes room; without
    /// one the new alarm is refused and counted.</summary>
    public int MaxConditions { get; init; } = 10_000;

    /// <summary>Earlier states of one condition that wait for their acknowledgement. Beyond it an acknowledgement of
    /// the present state counts for the earlier one.</summary>
    public int MaxBranchesPerCondition { get; init; } = 8;

    /// <summary>Of the text of a comment, in UTF-8.</summary>
    public int MaxConditionCommentBytes { get; init; } = 1024;

    public static bool IsTooLong(in LocalizedText comment, ConditionLimits limits) =>
        Encoding.UTF8.GetByteCount(comment.Text ?? "") > limits.MaxConditionCommentBytes ||
        comment.Locale is { Length: > 64 };

    /// <summary>The longest shelving.</summary>
    public TimeSpan MaxConditionShelving { get; init; } = TimeSpan.FromHours(24);

    /// <summary>Of the last changes of all conditions.</summary>
    public int MaxConditionHistory { get; init; } = 500;

    /// <summary>ConditionRefresh calls that are under way at one time.</summary>
    public int MaxConditionRefreshes { get; init; } = 10_000;
}
