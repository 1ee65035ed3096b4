namespace Gateway.Sources.OpcUa.Namespaces;

/// <summary>One line of <see cref="NamespaceRecords"/>.</summary>
/// <param name="Upstream">Its name in the configuration.</param>
/// <param name="Uri">As the upstream names it.</param>
/// <param name="ServedAs">As the gateway names it.</param>
internal sealed record NamespaceRecord(string Upstream, string Uri, string ServedAs);
