using Gateway.Codec.Structures;
using Gateway.Transport.Certificates;
using Gateway.Transport.Conversation;
using Gateway.Transport.Security;

namespace Gateway.Transport.Hosting;

/// <summary>What the server role offers.</summary>
public sealed class UaTcpServerOptions
{
    /// <summary>Offered for sessions. Without <see cref="SecurityPolicies.None"/> in it no session can be made in
    /// clear.
    /// </summary>
    public IReadOnlyList<SecurityPolicy> Policies { get; init; } =
        [SecurityPolicies.Basic256Sha256, SecurityPolicies.Aes128Sha256RsaOaep, SecurityPolicies.Aes256Sha256RsaPss];

    /// <summary>For every policy other than None.</summary>
    public IReadOnlyList<MessageSecurityMode> SecurityModes { get; init; } =
        [MessageSecurityMode.Sign, MessageSecurityMode.SignAndEncrypt];

    /// <summary>Accept channels of policy None for discovery where None is not offered, marked
    /// <see cref="SecureChannel.IsDiscoveryOnly"/>: clients ask GetEndpoints before they can know the server's
    /// certificate (Part 4 §5.5.4).</summary>
    public bool DiscoveryWithoutSecurity { get; init; } = true;

    /// <summary>Asked at each OPN, so that a new certificate needs no restart.</summary>
    public required Func<ApplicationCertificate> Certificate { get; init; }

    public required ICertificateValidator Validator { get; init; }
}
