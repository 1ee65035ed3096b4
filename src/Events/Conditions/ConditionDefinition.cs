using Gateway.Codec.Types;
using Gateway.Events.Model;

namespace Gateway.Events.Conditions;

/// <summary>The facts about a condition that never change. Immutable. Source: Part 9 §5.5.2, §5.8.2.</summary>
public sealed record ConditionDefinition
{
    /// <summary>Names it in methods and in the select clause with the empty path. No node needs to have it.</summary>
    public required NodeId ConditionId { get; init; }

    /// <summary>One of <see cref="ConditionLayouts"/>.</summary>
    public required EventLayout Layout { get; init; }

    public required string ConditionName { get; init; }

    /// <summary>ConditionSource; null: the Server object.</summary>
    public NodeId Source { get; init; }

    public required string SourceName { get; init; }

    /// <summary>Values of the fields that only its type has, in the order of the layout.</summary>
    public Variant[] OwnValues { get; init; } = [];

    /// <summary>An acknowledged state waits for a confirmation.</summary>
    public bool WantsConfirmation { get; init; }
}
