namespace Gateway.Sources.Upstreams;

/// <summary>The certificate that a server of an upstream has shown, and proven, at its last connection. It need not be
/// in the trust lists: an authority may vouch for it.</summary>
/// <param name="Thumbprint">SHA-1 in upper-case hexadecimal.</param>
/// <param name="NotAfter">Its end.</param>
public sealed record PresentedCertificate(string Thumbprint, DateTimeOffset NotAfter);
