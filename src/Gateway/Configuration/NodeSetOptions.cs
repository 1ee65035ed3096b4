namespace Gateway.Host.Configuration;

/// <summary>The section <c>NodeSets</c>.</summary>
/// <param name="Path">Folder of NodeSet2 files; empty: none.</param>
internal sealed record NodeSetOptions(string Path);
