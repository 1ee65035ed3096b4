using System.Security.Cryptography.X509Certificates;
using Gateway.Codec.Structures;

namespace Gateway.Client.Sessions;

/// <summary>The user of a session. Holds secrets: never logged, and <see cref="object.ToString"/> names only the kind.
///</summary>
public abstract class ClientIdentity
{
    private protected ClientIdentity()
    {
    }

    public static ClientIdentity Anonymous { get; } = new AnonymousIdentity();

    internal abstract UserTokenType TokenType { get; }

    public static ClientIdentity UserName(string name, string password) => new UserNameIdentity(name, password);

    /// <param name="token">Of an authorization service: a JSON Web Token.</param>
    public static ClientIdentity IssuedToken(string token) => new IssuedTokenIdentity(token);

    /// <param name="certificate">With its private key.</param>
    public static ClientIdentity Certificate(X509Certificate2 certificate) => new CertificateIdentity(certificate);

    public override string ToString() => TokenType.ToString();
}
