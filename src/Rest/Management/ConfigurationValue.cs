namespace Gateway.Rest.Management;

/// <summary>One key of the configuration and its value in force.</summary>
/// <param name="Key">As on the command line: <c>OpcUa:Port</c>.</param>
/// <param name="Value">Null for a secret.</param>
/// <param name="Origin">default, file, environment, command line.</param>
/// <param name="Source">The file's path; null for other origins.</param>
public sealed record ConfigurationValue(string Key, string? Value, string Origin, string? Source);
