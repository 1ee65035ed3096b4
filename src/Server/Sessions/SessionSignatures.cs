using Gateway.Codec.Structures;
using Gateway.Transport.Certificates;
using Gateway.Transport.Security;

namespace Gateway.Server.Sessions;

/// <summary>The signatures of CreateSession and ActivateSession: each side signs the other's certificate followed by
/// the other's nonce. Source: Part 4 §5.7.2, §5.7.3.</summary>
internal sealed class SessionSignatures(ApplicationCertificate certificate)
{
    /// <summary>With its issuers, as EndpointDescription and CreateSession carry it.</summary>
    public byte[] ServerCertificate => certificate.ChainBlob;

    /// <summary>Private-key work: on the lane.</summary>
    /// <param name="policy">The channel's.</param>
    /// <param name="clientCertificate">The leaf alone (Part 4 §5.7.2.2).</param>
    /// <param name="clientNonce">Of bounded length.</param>
    public SignatureData Sign(SecurityPolicy policy, byte[] clientCertificate, byte[] clientNonce) => new()
    {
        Algorithm = policy.SignatureAlgorithmUri,
        Signature = policy.SignAsymmetric(certificate.PrivateKey, Join(clientCertificate, clientNonce)),
    };

    /// <summary>Some clients sign the chain that the channel showed them in place of the leaf.</summary>
    public bool Verify(
        SecurityPolicy policy, byte[] clientCertificate, byte[] serverNonce, in SignatureData signature)
    {
        if (signature.Signature is not { Length: > 0 } bytes || signature.Algorithm != policy.SignatureAlgorithmUri)
            return false;
        return policy.VerifyAsymmetric(clientCertificate, Join(certificate.Der, serverNonce), bytes) ||
            (certificate.ChainBlob.Length != certificate.Der.Length &&
            policy.VerifyAsymmetric(clientCertificate, Join(certificate.ChainBlob, serverNonce), bytes));
    }

    private static byte[] Join(byte[] first, byte[] second) => [.. first, .. second];
}
