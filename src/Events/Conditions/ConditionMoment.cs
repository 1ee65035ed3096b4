using Gateway.Codec.Types;

namespace Gateway.Events.Conditions;

/// <summary>A condition as a notification shows it.</summary>
/// <param name="Definition">Of the condition.</param>
/// <param name="State">Of the condition or of a branch.</param>
/// <param name="SourceNode">ConditionSource; null: there is no such node now.</param>
/// <param name="UnshelveTime">Milliseconds that are left.</param>
/// <param name="MaxTimeShelved">Milliseconds.</param>
internal readonly record struct ConditionMoment(
    ConditionDefinition Definition, ConditionState State, NodeId SourceNode, double UnshelveTime,
    double MaxTimeShelved);
