using Gateway.Transport.Certificates.Peers;

namespace Gateway.Sources.OpcUa.Trust;

/// <summary>One upstream and its certificate.</summary>
internal sealed class KnownUpstream(string name, UpstreamCertificates certificates) : IKnownPeer
{
    public string Name => name;

    public string Before => certificates.Find(name)?.Trusted ?? string.Empty;

    /// <summary>A held certificate that has come among the trusted ones since was accepted by that.</summary>
    public bool IsChanged(string thumbprint, bool isTrustedItself) =>
        certificates.Find(name) is { } known && known.Trusted != thumbprint &&
        !(known.Held == thumbprint && isTrustedItself && !known.WasTrusted);

    public void Held(string thumbprint, bool isTrustedItself) => certificates.Hold(name, thumbprint, isTrustedItself);

    public void Proven(string thumbprint) => certificates.Accept(name, thumbprint);
}
