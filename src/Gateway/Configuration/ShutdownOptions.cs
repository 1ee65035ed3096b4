namespace Gateway.Host.Configuration;

/// <summary>The section <c>Shutdown</c>.</summary>
internal sealed record ShutdownOptions
{
    /// <summary>How long ServerStatus announces the shutdown before the gateway closes sessions. Default 2 s.</summary>
    public TimeSpan Announce { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>From the end of that until a new process is expected. Default 5 s: a container starts, and the gateway
    /// is ready within a second.</summary>
    public TimeSpan Absence { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>The longest time until everything has ended. Default 10 s.</summary>
    public TimeSpan Grace { get; init; } = TimeSpan.FromSeconds(10);
}
