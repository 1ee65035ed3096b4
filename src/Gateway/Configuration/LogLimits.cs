namespace Gateway.Host.Configuration;

/// <summary>How much is logged whatever peers do (R24).</summary>
internal sealed record LogLimits
{
    /// <summary>Bytes of all lines in any minute, as they are written.</summary>
    public int MaxLogBytesPerMinute { get; init; } = 1024 * 1024;

    /// <summary>Lines of one kind (category and event id) in any minute; the others are counted.</summary>
    public int MaxLogLinesPerMinute { get; init; } = 600;
}
