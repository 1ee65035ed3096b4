using Gateway.Codec.Structures;
using Gateway.Transport.Certificates;
using Gateway.Transport.Security;

namespace Gateway.Server.Sessions;

/// <summary>The signatures of CreateSession and ActivateSession: each side signs the other's certificate followed by
/// the other's nonce. Source: Part 4 §5.7.2, §5.7.3.</summary>
internal static class SessionSignatures
{
    /// <summary>Private-key work: on the lane.</summary>
    /// <param name="own">The server's.</param>
    /// <param name="policy">The channel's.</param>
    /// <param name="clientCertificate">The leaf alone (Part 4 §5.7.2.2).</param>
    /// <param name="clientNonce">Of bounded length.</param>
    public static SignatureData Sign(
        ApplicationCertificate own, SecurityPolicy policy, byte[] clientCertificate, byte[] clientNonce) => new()
        {
            Algorithm = policy.SignatureAlgorithmUri,
            Signature = policy.SignAsymmetric(own.PrivateKey, Join(clientCertificate, clientNonce)),
        };

    /// <summary>Some clients sign the chain that the channel showed them in place of the leaf.</summary>
    public static bool Verify(
        ApplicationCertificate own, SecurityPolicy policy, byte[] clientCertificate, byte[] serverNonce,
        in SignatureData signature)
    {
        if (signature.Signature is not { Length: > 0 } bytes || signature.Algorithm != policy.SignatureAlgorithmUri)
            return false;
        return policy.VerifyAsymmetric(clientCertificate, Join(own.Der, serverNonce), bytes) ||
            (own.ChainBlob.Length != own.Der.Length &&
            policy.VerifyAsymmetric(clientCertificate, Join(own.ChainBlob, serverNonce), bytes));
    }

    private static byte[] Join(byte[] first, byte[] second) => [.. first, .. second];
}
