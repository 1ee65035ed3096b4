namespace Gateway.Loadtest.Scenarios.Capacity;

/// <summary>What a point cost the server, and the rates that it came to.</summary>
internal sealed record CapacityMeasurement
{
    public required CapacityPoint Point { get; init; }

    public required double MessagesPerSecond { get; init; }

    public required double NotificationsPerSecond { get; init; }

    public required double Cores { get; init; }

    public required double ResidentBytes { get; init; }

    public double LatenessP99Ms { get; init; } = double.NaN;

    /// <summary>A tag changes once a second.</summary>
    public double ChangesPerSecond => Point.Tags;

    /// <summary>What the formula for the CPU multiplies its costs with; 1 is the process itself.</summary>
    public double[] CpuTerms => [1, ChangesPerSecond, MessagesPerSecond, NotificationsPerSecond];

    /// <summary>The same for the memory.</summary>
    public double[] MemoryTerms => [1, Point.Tags, Point.Sessions, Point.TotalItems];
}
