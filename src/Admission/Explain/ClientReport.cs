namespace Gateway.Admission.Explain;

/// <summary>The recent activity of one client, by certificate or by address.</summary>
/// <param name="Key">Thumbprint or address.</param>
/// <param name="Subject">Of a certificate; cleaned and cut.</param>
/// <param name="ApplicationUri">Of a certificate, where known; cleaned and cut.</param>
/// <param name="Address">Where a certificate was seen last.</param>
/// <param name="Connections">Channels (certificate) or connections (address) now.</param>
/// <param name="AttemptsLastMinute">Channels opened, or connections made.</param>
/// <param name="AttemptsLastFiveMinutes">The same over a longer time.</param>
/// <param name="RefusalsLastFiveMinutes">Of them refused.</param>
/// <param name="FalseClaims">Of an address: certificates that it named and could not sign for, ever.</param>
/// <param name="VerifiedCertificates">Of an address: certificates behind it whose signature was right.</param>
public sealed record ClientReport(
    string Key, string? Subject, string? ApplicationUri, string? Address, int Connections, long AttemptsLastMinute,
    long AttemptsLastFiveMinutes, long RefusalsLastFiveMinutes, long FalseClaims, int VerifiedCertificates)
{
    /// <summary>HTTP connections of an address now; they are none of <see cref="Connections"/>.</summary>
    public int HttpConnections { get; init; }
}
