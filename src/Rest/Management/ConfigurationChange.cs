namespace Gateway.Rest.Management;

/// <summary>A key whose value differs between two configurations.</summary>
/// <param name="Key">As on the command line: <c>OpcUa:Port</c>.</param>
/// <param name="From">The value before; null where there was none, and of a secret.</param>
/// <param name="To">The value after; null where there is none, and of a secret.</param>
/// <param name="IsSecret">Its values are shown to nobody.</param>
/// <param name="NeedsRestart">A running gateway does not take it.</param>
public sealed record ConfigurationChange(string Key, string? From, string? To, bool IsSecret, bool NeedsRestart);
