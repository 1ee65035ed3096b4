using System.Security.Cryptography.X509Certificates;
using Gateway.Codec.Structures;

namespace Gateway.Client.Sessions;

internal sealed class CertificateIdentity(X509Certificate2 certificate) : ClientIdentity
{
    public X509Certificate2 Own { get; } = certificate;

    internal override UserTokenType TokenType => UserTokenType.Certificate;
}
