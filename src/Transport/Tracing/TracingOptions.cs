namespace Gateway.Transport.Tracing;

/// <summary>Which requests are traced.</summary>
public sealed record TracingOptions
{
    /// <summary>No request is.</summary>
    public static TracingOptions Off { get; } = new();

    /// <summary>Default false.</summary>
    public bool IsOn { get; init; }

    /// <summary>The share of the requests whose callers ask for nothing: 0 to 1.</summary>
    public double SampleRatio { get; init; }

    /// <summary>The most requests in a second whose callers ask for a trace and get one whatever the ratio is.
    /// </summary>
    public int MaxAskedPerSecond { get; init; }
}
