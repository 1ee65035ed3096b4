namespace Gateway.Sources.OpcUa.Trust;

/// <summary>The certificates of one upstream, as thumbprints.</summary>
/// <param name="Upstream">Its configured name.</param>
/// <param name="Trusted">That of its last connection.</param>
/// <param name="Held">Another one that it showed since, which waits for an operator; null: none.</param>
/// <param name="WasTrusted">The held one was among the trusted ones already, as that of another server: only an
/// operator's word accepts it, not that it lies there.</param>
internal sealed record UpstreamCertificateRecord(
    string Upstream, string Trusted, string? Held = null, bool WasTrusted = false);
