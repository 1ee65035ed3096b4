namespace Gateway.Host.Configuration;

/// <summary>What <c>Log:*</c> configures.</summary>
internal sealed record LogOptions
{
    /// <summary><c>Log:Format</c> is <c>json</c>. Default false.</summary>
    public bool AsJson { get; init; }
}
