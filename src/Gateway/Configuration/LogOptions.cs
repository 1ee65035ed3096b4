namespace Gateway.Host.Configuration;

/// <summary>The section <c>Log</c>.</summary>
internal sealed record LogOptions
{
    /// <summary>True if <c>Log:Format</c> is <c>json</c>. Default false.</summary>
    public bool AsJson { get; init; }
}
