namespace Gateway.Host.Configuration;

/// <summary>What the start tells about the configuration itself.</summary>
internal sealed record ConfigurationReport
{
    /// <summary>The files that were read, with their full paths.</summary>
    public required IReadOnlyList<string> Files { get; init; }

    /// <summary>Keys of the environment that look misspelt, each with what it may mean.</summary>
    public required IReadOnlyList<string> Warnings { get; init; }
}
