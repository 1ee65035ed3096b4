using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Transport.Conversation;

namespace Gateway.Client.Sessions;

/// <summary>The input for a user's token.</summary>
internal readonly record struct UserTokenContext(
    SecureChannel Channel,
    EndpointDescription Endpoint,
    CreateSessionResponse Created,
    byte[] ServerNonce,
    bool AllowInsecureCredentials)
{
    /// <summary>The leaf for which a token is encrypted and over which it is signed: the channel's, which the trust
    /// list has passed and whose owner has proven its key. Only where insecure credentials are allowed one that the
    /// server merely shows.</summary>
    public byte[] ServerCertificate => Channel.SecurityMode != MessageSecurityMode.None
        ? Channel.PeerCertificate
        : CertificateChain.Leaf(Created.ServerCertificate ?? Endpoint.ServerCertificate ?? []);

    /// <summary>Errors: <see cref="ServiceException"/>; nothing is sent then. A channel without security does not
    /// authenticate the server: a password encrypted for the certificate that it shows can be read by any server that
    /// shows one of its own, and a relay can pass a signature on.</summary>
    public static void ThrowIfUnprotected(ClientIdentity identity, MessageSecurityMode mode, bool allowInsecure)
    {
        if (identity.TokenType != UserTokenType.Anonymous && mode == MessageSecurityMode.None && !allowInsecure)
            throw new ServiceException(
                StatusCodes.BadSecurityPolicyRejected,
                "without security on the channel no user's credentials are sent: the server may be anybody")
            {
                Fault = ConnectFault.CredentialsUnprotected,
            };
    }
}
