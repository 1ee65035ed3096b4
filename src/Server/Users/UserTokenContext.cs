using System.Net;
using Gateway.Admission.Clients;
using Gateway.Codec.Structures;
using Gateway.Transport.Certificates;
using Gateway.Transport.Security;

namespace Gateway.Server.Users;

/// <summary>A user identity token and everything that its check needs.</summary>
public sealed class UserTokenContext
{
    /// <summary>An AnonymousIdentityToken, UserNameIdentityToken, X509IdentityToken or IssuedIdentityToken as it was
    /// decoded.</summary>
    public required UserIdentityToken Token { get; init; }

    /// <summary>The offered policy that the token named.</summary>
    public required UserTokenPolicy Policy { get; init; }

    /// <summary>The policy for the encryption of a password and for the user's signature: that of the token policy.
    /// </summary>
    public required SecurityPolicy SecurityPolicy { get; init; }

    public SignatureData Signature { get; init; }

    /// <summary>The connection itself has proven that the client holds the key of its X509IdentityToken, as TLS does:
    /// it needs no signature.</summary>
    public bool IsKeyProven { get; init; }

    /// <summary>The session's last nonce: part of a decrypted password, behind the server's certificate in what an X509
    /// user signs.</summary>
    public required byte[] ServerNonce { get; init; }

    /// <summary>The server's certificates that the client has been shown besides the one of now: it may have encrypted
    /// or signed for one of them. Null entries count for nothing.</summary>
    public IReadOnlyList<ApplicationCertificate?> ServerCertificates { get; init; } = [];

    /// <summary>Leaf DER of the client application; empty without security.</summary>
    public required byte[] ClientCertificate { get; init; }

    public string ClientThumbprint { get; init; } = string.Empty;

    public EndPoint? RemoteEndPoint { get; init; }

    /// <summary>A session that was active before has priority in the queue for the private key.</summary>
    public bool IsSessionActivated { get; init; }

    /// <summary>Admission's record of the connection.</summary>
    public ClientPass? Pass { get; init; }
}
