namespace Gateway.Host.Configuration;

/// <summary>The section <c>Log</c>.</summary>
internal sealed record LogOptions
{
    /// <summary>True if <c>Log:Format</c> is <c>json</c>. Default false.</summary>
    public bool AsJson { get; init; }

    /// <summary><c>Log:Level</c>: the least level of a line. Default Information.</summary>
    public LogLevel Level { get; init; } = LogLevel.Information;

    /// <summary><c>Log:Levels</c>: others for the categories that begin so.</summary>
    public IReadOnlyList<(string Category, LogLevel Level)> Levels { get; init; } = [];
}
