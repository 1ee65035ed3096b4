namespace Gateway.Host.Auditing;

/// <summary>Where the audit trail is kept, and how much of it.</summary>
internal sealed record AuditOptions
{
    /// <summary>A folder of its own. Empty: no files are written.</summary>
    public string Path { get; init; } = string.Empty;

    /// <summary>A file of this size is followed by the next one.</summary>
    public long MaxFileBytes { get; init; } = 8L * 1024 * 1024;

    /// <summary>Of all files; above it the oldest one is deleted.</summary>
    public long MaxBytes { get; init; } = 128L * 1024 * 1024;

    /// <summary>Lines that wait in memory for the disk; further ones are lost, and counted.</summary>
    public int MaxQueueBytes { get; init; } = 1024 * 1024;

    public bool IsOn => Path.Length > 0;
}
