namespace Gateway.Transport.Security;

/// <summary>How a secret is encrypted for a certificate's key. PKCS #1 v1.5 is not here, in any form (R13).</summary>
public enum AsymmetricEncryptionAlgorithm
{
    None,
    RsaOaepSha1,
    RsaOaepSha256,
}
