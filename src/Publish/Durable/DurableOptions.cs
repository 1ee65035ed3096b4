namespace Gateway.Publish.Durable;

/// <summary>Where durable subscriptions are kept.</summary>
public sealed record DurableOptions
{
    /// <summary>A folder of theirs alone. Empty: no subscription becomes durable.</summary>
    public string Path { get; init; } = string.Empty;

    public bool IsOn => Path.Length > 0;
}
