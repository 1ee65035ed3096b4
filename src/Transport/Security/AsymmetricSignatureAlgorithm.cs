namespace Gateway.Transport.Security;

/// <summary>How a certificate's key signs. Source: Part 7, the profile of each security policy.</summary>
public enum AsymmetricSignatureAlgorithm
{
    None,
    RsaPkcs15Sha256,
    RsaPssSha256,
}
