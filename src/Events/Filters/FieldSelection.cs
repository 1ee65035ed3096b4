using Gateway.Codec.Types;
using Gateway.Events.Model;

namespace Gateway.Events.Filters;

/// <summary>A SimpleAttributeOperand that has passed every check.</summary>
/// <param name="EventType">The field is null on events of other types. BaseEventType: on none.</param>
/// <param name="Path">Of the field.</param>
/// <param name="Range">Of its value.</param>
/// <param name="IsUsable">False: the clause was rejected, its field is always null.</param>
internal readonly record struct FieldSelection(NodeId EventType, FieldPath Path, NumericRange Range, bool IsUsable)
{
    public static FieldSelection Rejected { get; } = new(default, FieldPath.ConditionId, default, IsUsable: false);
}
