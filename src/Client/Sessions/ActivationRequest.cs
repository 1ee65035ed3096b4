using Gateway.Client.Requests;
using Gateway.Codec.Structures;
using Gateway.Transport.Conversation;
using Gateway.Transport.Security;

namespace Gateway.Client.Sessions;

/// <summary>ActivateSession: the application's signature over the server's certificate and nonce, and the user's token.
/// Source: Part 4 §5.7.3, §7.40.</summary>
internal static class ActivationRequest
{
    public static ActivateSessionRequest Create(
        ClientConnection connection, in UserTokenContext context, ClientIdentity identity)
    {
        byte[] signed = [.. context.ServerCertificate, .. context.ServerNonce];
        var (token, signature) = UserTokens.Create(context, identity);
        return new ActivateSessionRequest
        {
            ClientSignature = Sign(context.Channel, signed),
            UserIdentityToken = token,
            UserTokenSignature = signature,
        };
    }

    private static SignatureData Sign(SecureChannel channel, byte[] data)
    {
        if (channel.SecurityMode == MessageSecurityMode.None)
            return default;
        return new SignatureData
        {
            Algorithm = channel.Policy.SignatureAlgorithmUri,
            Signature = channel.Policy.SignAsymmetric(channel.OwnCertificate!.PrivateKey, data),
        };
    }
}
