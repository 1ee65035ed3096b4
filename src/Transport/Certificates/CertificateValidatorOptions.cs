using Gateway.Transport.Certificates.Peers;
using Gateway.Transport.Hosting;

namespace Gateway.Transport.Certificates;

/// <summary>The suppressions that an operator may choose: each by name, none by default (R12).</summary>
public sealed record CertificateValidatorOptions
{
    /// <summary>Accept a certificate that no operator has trusted yet, and one whose issuer is unknown. Default false.
    /// </summary>
    public bool AutoTrust { get; init; }

    /// <summary>Accept a certificate whose issuer has no current revocation list. Default false.</summary>
    public bool AcceptUnknownRevocation { get; init; }

    /// <summary>Accept a certificate without a KeyUsage extension. Default false.</summary>
    public bool AcceptMissingKeyUsage { get; init; }

    /// <summary>Accept an application's certificate whose KeyUsage lacks dataEncipherment and nothing else. Default
    /// false.</summary>
    public bool AcceptMissingDataEncipherment { get; init; }

    /// <summary>Thumbprints (upper-case hexadecimal) of certificates that the configuration itself trusts: they need be
    /// in no folder. Everything else is checked as ever. Default none.</summary>
    public IReadOnlySet<string> PinnedThumbprints { get; init; } = new HashSet<string>();

    /// <summary>The one peer that is judged; null: any. Its certificate must not change without an operator.</summary>
    public IKnownPeer? Peer { get; init; }

    /// <summary>Which peers are judged: their certificate's usage must allow their role.</summary>
    public CertificatePeerRole PeerRole { get; init; }

    /// <summary>Limits on the cost of one certificate and on the size of the cache.</summary>
    public TransportLimits Limits { get; init; } = new();
}
