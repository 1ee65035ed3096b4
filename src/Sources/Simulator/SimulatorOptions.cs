namespace Gateway.Sources.Simulator;

/// <summary>The embedded plant: what <c>Simulator:*</c> configures.</summary>
public sealed record SimulatorOptions
{
    public const int MaxTags = 1_000_000;

    public const int MaxChangesPerSecond = 10_000_000;

    public const int MaxEventsPerSecond = 1_000_000;

    public const int MaxAlarms = 1_000_000;

    /// <summary>Default true, so that a first start has something to show.</summary>
    public bool Enabled { get; init; } = true;

    /// <summary>Double tags <c>i=1000</c> and on. Default 1,000; at most <see cref="MaxTags"/>.</summary>
    public int Tags { get; init; } = 1_000;

    /// <summary>Events of the plant, for load tests. Default 0: none; at most <see cref="MaxEventsPerSecond"/>.
    /// </summary>
    public int EventsPerSecond { get; init; }

    /// <summary>Alarms that the method SetAlarms switches, for load tests. Default 0: there is no such method; at most
    /// <see cref="MaxAlarms"/>.</summary>
    public int Alarms { get; init; }

    /// <summary>Changes of all tags together. Default 1,000; 0 leaves them still; at most <see
    /// cref="MaxChangesPerSecond"/>.</summary>
    public int ChangesPerSecond { get; init; } = 1_000;
}
