namespace Gateway.Host.Logging;

/// <summary>Lines of a kind that were not logged; itself a line, which the throttle lets pass.</summary>
internal readonly record struct LogGap(LogKind Kind, string? Template, long Count)
{
    public override string ToString() => Template is null
        ? $"{Count} lines of this kind were not logged in the last minute"
        : $"{Count} lines of this kind were not logged in the last minute: {Template}";
}
