namespace Gateway.Host.Configuration;

/// <summary>What <c>NodeSets:*</c> configures.</summary>
/// <param name="Path">Empty: none.</param>
internal sealed record NodeSetOptions(string Path);
