using System.Net.Sockets;
using Gateway.Client.Sessions;
using Gateway.Codec.Structures;
using Gateway.Transport.Certificates;

namespace Gateway.Client;

/// <summary>Where to and how: one session.</summary>
public sealed record ConnectSettings
{
    /// <summary><c>opc.tcp://host[:port][/path]</c>: also the address to connect to; the host in the server's endpoints
    /// does not count.</summary>
    public required string EndpointUrl { get; init; }

    /// <summary>Brings a connection of a server that connects to us; null: we connect.</summary>
    public Func<CancellationToken, ValueTask<Socket>>? Dial { get; init; }

    /// <summary>The ApplicationUri that the server has to have: in its endpoint, and so in its certificate. Without
    /// security nothing proves it. Null: any.</summary>
    public string? ServerUri { get; init; }

    /// <summary>Null: the best that both sides know, and never None (R45).</summary>
    public string? SecurityPolicyUri { get; init; }

    /// <summary>Invalid: SignAndEncrypt, or None where the policy is None.</summary>
    public MessageSecurityMode SecurityMode { get; init; } = MessageSecurityMode.Invalid;

    public ClientIdentity Identity { get; init; } = ClientIdentity.Anonymous;

    /// <summary>True: a password may go to a server that nothing has authenticated, and in the clear. False: over
    /// SecurityPolicy None no identity but Anonymous is used.</summary>
    public bool AllowInsecureCredentials { get; init; }

    public string SessionName { get; init; } = "gateway";

    /// <summary>Of this server's certificate; null: that of the client.</summary>
    public ICertificateValidator? CertificateValidator { get; init; }
}
