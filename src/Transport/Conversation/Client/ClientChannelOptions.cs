using System.Net.Security;
using System.Net.Sockets;
using Gateway.Codec.Structures;
using Gateway.Transport.Certificates;
using Gateway.Transport.Security;

namespace Gateway.Transport.Conversation;

/// <summary>The parameters of a client's channel.</summary>
public sealed class ClientChannelOptions
{
    /// <summary><c>opc.tcp://host:port/path</c>, <c>opc.wss://…</c> or <c>opc.ws://…</c>.</summary>
    public required string EndpointUrl { get; init; }

    public SecurityPolicy Policy { get; init; } = SecurityPolicies.None;

    public MessageSecurityMode SecurityMode { get; init; } = MessageSecurityMode.None;

    /// <summary>Ours; needed unless the policy is None.</summary>
    public ApplicationCertificate? Certificate { get; init; }

    /// <summary>The server's, DER, leaf first, as its EndpointDescription names it; needed unless the policy is None.
    /// </summary>
    public byte[] ServerCertificate { get; init; } = [];

    /// <summary>Null: the server's certificate is taken as given (a load driver; never a gateway).</summary>
    public required ICertificateValidator? Validator { get; init; }

    /// <summary>Source address of the connection; null: the system's choice.</summary>
    public System.Net.IPAddress? LocalAddress { get; init; }

    /// <summary>Brings the connection, of a server that connects to us; null: we connect. Of opc.tcp alone. Source:
    /// Part 6 §7.1.3.</summary>
    public Func<CancellationToken, ValueTask<Socket>>? Dial { get; init; }

    /// <summary>Judges the certificate that a server shows for TLS, instead of the system's check; null: the system's.
    /// </summary>
    public RemoteCertificateValidationCallback? TlsCertificateCheck { get; init; }

    public TimeSpan RequestedLifetime { get; init; } = TimeSpan.FromHours(1);

    /// <summary>For connection, HEL and OPN together.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(10);
}
