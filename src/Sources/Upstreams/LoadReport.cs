namespace Gateway.Sources.Upstreams;

/// <summary>The load budget of one upstream, and how much of it the upstream gets now.</summary>
public sealed record LoadReport
{
    /// <summary>The named set of values that the budget began with.</summary>
    public required string Profile { get; init; }

    public int MaxItems { get; init; }

    public int MaxConcurrentRequests { get; init; }

    public int MaxRequestsPerSecond { get; init; }

    public int MaxReadsPerSecond { get; init; }

    /// <summary>Requests at a time, now.</summary>
    public int Concurrency { get; init; }

    /// <summary>The share of the rates, now: 1 is all.</summary>
    public double Pace { get; init; }

    /// <summary>Requests that wait for their turn.</summary>
    public int Waiting { get; init; }

    /// <summary>How often it was asked for less, by cause.</summary>
    public IReadOnlyList<(string Cause, long Count)> Cuts { get; init; } = [];

    /// <summary>The last cause; null: never.</summary>
    public string? LastCut { get; init; }

    public DateTimeOffset? LastCutAt { get; init; }

    /// <summary>Wishes of clients that were refused, by the part of the budget that was used up.</summary>
    public IReadOnlyList<(string Budget, long Count)> Refused { get; init; } = [];

    /// <summary>The last refusal in words; null: none since the start.</summary>
    public string? LastRefusal { get; init; }

    public DateTimeOffset? LastRefusalAt { get; init; }
}
