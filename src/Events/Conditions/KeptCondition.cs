using Gateway.Codec.Types;

namespace Gateway.Events.Conditions;

/// <summary>A condition of the gateway's own for another process. Immutable.</summary>
public sealed record KeptCondition
{
    public required NodeId ConditionId { get; init; }

    /// <summary>Of its events: says the layout.</summary>
    public required NodeId EventType { get; init; }

    public required string ConditionName { get; init; }

    /// <summary>Null: the Server object.</summary>
    public NodeId Source { get; init; }

    public required string SourceName { get; init; }

    public bool WantsConfirmation { get; init; }

    /// <summary>The branches, oldest first, and behind them the present state.</summary>
    public required IReadOnlyList<KeptState> States { get; init; }
}
