using Gateway.Codec.Structures;
using Gateway.Transport.Conversation;

namespace Gateway.Client.Sessions;

/// <summary>What a user's token is made from.</summary>
internal readonly record struct UserTokenContext(
    SecureChannel Channel,
    EndpointDescription Endpoint,
    CreateSessionResponse Created,
    byte[] ServerNonce,
    ClientOptions Options)
{
    /// <summary>The certificate that the server showed on the channel, or offered for tokens where the channel has
    /// none.</summary>
    public byte[] ServerCertificate => Created.ServerCertificate ?? Endpoint.ServerCertificate ?? [];
}
