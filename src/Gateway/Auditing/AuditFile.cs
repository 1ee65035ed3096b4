namespace Gateway.Host.Auditing;

/// <summary>One audit file.</summary>
/// <param name="Number">In its name.</param>
/// <param name="FirstLine">The number of its first line; 0: there is none that can be read.</param>
/// <param name="Bytes">Its length.</param>
internal readonly record struct AuditFile(long Number, long FirstLine, long Bytes);
