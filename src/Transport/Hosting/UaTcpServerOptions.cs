using Gateway.Transport.Certificates;
using Gateway.Transport.Conversation;
using Gateway.Transport.Security;

namespace Gateway.Transport.Hosting;

/// <summary>The offer of the server role.</summary>
public sealed class UaTcpServerOptions
{
    /// <summary>GetEndpoints advertises the same object.</summary>
    public required SecurityOffer Security { get; init; }

    /// <summary>Accept channels of policy None for discovery where None is not offered, marked
    /// <see cref="SecureChannel.IsDiscoveryOnly"/>: clients ask GetEndpoints before they can know the server's
    /// certificate (Part 4 §5.5.4).</summary>
    public bool DiscoveryWithoutSecurity { get; init; } = true;

    /// <summary>Asked at each OPN, so that a new certificate needs no restart.</summary>
    public required Func<ApplicationCertificate> Certificate { get; init; }

    public required ICertificateValidator Validator { get; init; }
}
