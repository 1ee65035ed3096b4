namespace Gateway.Events;

/// <summary>Bounds of one EventFilter (R01, R44).</summary>
public sealed record EventFilterLimits
{
    /// <summary>Select clauses of one filter. Collectors of alarms ask for 149 fields.</summary>
    public int MaxEventSelectClauses { get; init; } = 1000;

    /// <summary>Elements of the where clause of one filter. They are evaluated without recursion, so this also bounds
    /// how deep they nest.</summary>
    public int MaxEventWhereElements { get; init; } = 1000;

    /// <summary>Operands of one where clause, all elements together: each costs one step for each event.</summary>
    public int MaxEventWhereOperands { get; init; } = 10_000;

    /// <summary>Bytes of one filter as it is encoded; the gateway keeps each distinct one as long as an item uses it.
    /// </summary>
    public int MaxEventFilterBytes { get; init; } = 64 * 1024;
}
