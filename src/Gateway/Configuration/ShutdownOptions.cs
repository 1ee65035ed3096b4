namespace Gateway.Host.Configuration;

/// <summary>The section <c>Shutdown</c>.</summary>
internal sealed record ShutdownOptions
{
    /// <summary>How long ServerStatus announces the shutdown before the gateway closes sessions. Default 2 s.</summary>
    public TimeSpan Announce { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>The longest time until everything has ended. Default 10 s.</summary>
    public TimeSpan Grace { get; init; } = TimeSpan.FromSeconds(10);
}
