using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Gateway.Transport.Tests.Certificates;

/// <summary>sha1WithRSAEncryption, which the BCL no longer makes.</summary>
internal sealed class WeakSignatureGenerator(RSA key) : X509SignatureGenerator
{
    public override byte[] GetSignatureAlgorithmIdentifier(HashAlgorithmName hashAlgorithm) =>
        Convert.FromHexString("300D06092A864886F70D0101050500");

    public override byte[] SignData(byte[] data, HashAlgorithmName hashAlgorithm) =>
        key.SignData(data, new HashAlgorithmName("SHA1"), RSASignaturePadding.Pkcs1);

    protected override PublicKey BuildPublicKey() => CreateForRSA(key, RSASignaturePadding.Pkcs1).PublicKey;
}
