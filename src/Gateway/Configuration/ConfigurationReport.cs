namespace Gateway.Host.Configuration;

/// <summary>The lines that the start logs about the configuration itself.</summary>
internal sealed record ConfigurationReport
{
    /// <summary>The files that were read, with their full paths.</summary>
    public required IReadOnlyList<string> Files { get; init; }

    /// <summary>Keys of the environment that look misspelt, each with a suggestion.</summary>
    public required IReadOnlyList<string> Warnings { get; init; }
}
