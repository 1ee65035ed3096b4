namespace Gateway.Host.Configuration;

/// <summary>What <c>Shutdown:*</c> configures.</summary>
internal sealed record ShutdownOptions
{
    /// <summary>How long clients see the shutdown before sessions are closed. Default 2 s.</summary>
    public TimeSpan Announce { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>When everything has ended. Default 10 s.</summary>
    public TimeSpan Grace { get; init; } = TimeSpan.FromSeconds(10);
}
