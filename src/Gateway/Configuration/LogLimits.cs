namespace Gateway.Host.Configuration;

/// <summary>How much is logged whatever peers do (R24).</summary>
internal sealed record LogLimits
{
    /// <summary>Bytes of all lines in any minute, as they are written.</summary>
    public int MaxLogBytesPerMinute { get; init; } = 1024 * 1024;

    /// <summary>Lines of one kind (category and event id) in any minute; the others are counted.</summary>
    public int MaxLogLinesPerMinute { get; init; } = 600;

    /// <summary>Lines of the audit trail that wait in memory for the disk; further ones are lost, and counted.</summary>
    public int MaxAuditQueueBytes { get; init; } = 1024 * 1024;
}
