namespace Gateway.AddressSpace.Import;

/// <summary>One model of a file: its namespace, its version as text, and the namespaces it needs.</summary>
public sealed record NodeSetModelInfo(string Uri, string? Version, IReadOnlyList<string> Required);
