using Gateway.Transport.Certificates.Peers;
using Gateway.Transport.Hosting;

namespace Gateway.Transport.Certificates;

/// <summary>One validator a role, all on the same folders. The checks of Part 4 §6.1.3 that the operator has switched
/// off are off for every role; AutoTrust is about clients alone, because the gateway hands passwords to servers.
/// </summary>
public sealed class CertificateValidators(PkiStore store, PkiOptions options, TransportLimits limits)
{
    /// <summary>Of clients that connect.</summary>
    public CertificateValidator Clients { get; } =
        new(store, Checks(options, limits, CertificatePeerRole.Client) with { AutoTrust = options.AutoTrust });

    /// <summary>Of servers that the gateway connects to.</summary>
    public CertificateValidator Servers { get; } = new(store, Checks(options, limits, CertificatePeerRole.Server));

    /// <summary>Of one server that the gateway connects to again and again.</summary>
    public CertificateValidator MakeFor(IKnownPeer server) =>
        new(store, Checks(options, limits, CertificatePeerRole.Server) with { Peer = server });

    /// <summary>Of users.</summary>
    /// <param name="pinned">Thumbprints that the configuration itself trusts.</param>
    public CertificateValidator MakeForUsers(IReadOnlySet<string> pinned) =>
        new(store, Checks(options, limits, CertificatePeerRole.User) with { PinnedThumbprints = pinned });

    private static CertificateValidatorOptions Checks(
        PkiOptions options, TransportLimits limits, CertificatePeerRole role) => new()
        {
            AcceptUnknownRevocation = options.AcceptUnknownRevocation,
            AcceptMissingKeyUsage = options.AcceptMissingKeyUsage,
            AcceptMissingDataEncipherment = options.AcceptMissingDataEncipherment,
            Limits = limits,
            PeerRole = role,
        };
}
