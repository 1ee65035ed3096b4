namespace Gateway.Store;

/// <summary>The text of the system, and when (UTC).</summary>
internal sealed record DiskError(string Message, DateTime Time);
