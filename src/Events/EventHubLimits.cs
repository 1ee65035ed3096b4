namespace Gateway.Events;

/// <summary>Bounds of all event items together (R44, R46).</summary>
public sealed record EventHubLimits
{
    /// <summary>Of one filter.</summary>
    public EventFilterLimits Filter { get; init; } = new();

    /// <summary>Distinct filters of all items: an event is held against each of them.</summary>
    public int MaxEventFilters { get; init; } = 1_000;

    /// <summary>Steps of all filters in a second beyond those of each for each event that are free.</summary>
    public long MaxEventFilterStepsPerSecond { get; init; } = 20_000_000;
}
