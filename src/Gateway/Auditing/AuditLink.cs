namespace Gateway.Host.Auditing;

/// <summary>The place of a line in the chain.</summary>
/// <param name="Number">The first line that ever was is 1.</param>
/// <param name="Previous">The hash of the line before.</param>
/// <param name="Hash">Of the line, as it says.</param>
/// <param name="IsIntact">The line fits its hash.</param>
internal readonly record struct AuditLink(long Number, byte[] Previous, byte[] Hash, bool IsIntact);
