namespace Gateway.Loadtest.Scenarios.Capacity;

/// <summary>The cost of a point to the server, and the rates that it reached.</summary>
internal sealed record CapacityMeasurement
{
    /// <summary>Between the rates at which points are measured: 2,000 and 4,000.</summary>
    private const double LoneBelowPerSecond = 3_000;

    public required CapacityPoint Point { get; init; }

    public required double MessagesPerSecond { get; init; }

    public required double NotificationsPerSecond { get; init; }

    public required double Cores { get; init; }

    public required double ResidentBytes { get; init; }

    public double LatenessP99Ms { get; init; } = double.NaN;

    /// <summary>A tag changes once a second.</summary>
    public double ChangesPerSecond => Point.Tags;

    /// <summary>So few messages a second, spread evenly, that nearly each wakes a thread for itself.</summary>
    public bool AreMessagesLone => MessagesPerSecond < LoneBelowPerSecond;

    /// <summary>The factors of the costs in the formula for the CPU; 1 is the process itself. A lone message has a cost
    /// of its own.</summary>
    public double[] CpuTerms =>
    [
        1, ChangesPerSecond, AreMessagesLone ? MessagesPerSecond : 0, AreMessagesLone ? 0 : MessagesPerSecond,
        NotificationsPerSecond,
    ];

    /// <summary>The same for the memory.</summary>
    public double[] MemoryTerms => [1, Point.Tags, Point.Sessions, Point.TotalItems];
}
