using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Gateway.Transport.Security;
using Gateway.Transport.Tests.Support;

namespace Gateway.Transport.Tests.Security;

public sealed class AsymmetricCryptographyTests
{
    public static TheoryData<string> Policies => [.. SecurityPolicies.All.Where(p => !p.IsNone).Select(p => p.Name)];

    [Theory]
    [MemberData(nameof(Policies))]
    public void EncryptAsymmetric_LongerThanABlock_ComesBack(string name)
    {
        SecurityPolicies.TryGetByName(name, out var policy);
        var key = TestCertificates.Server.PrivateKey;
        var secret = Enumerable.Range(0, 500).Select(i => (byte)i).ToArray();

        var cipher = policy!.EncryptAsymmetric(key, secret);

        Assert.Equal(0, cipher.Length % 256);
        Assert.True(policy!.TryDecryptAsymmetric(key, cipher, out var plain));
        Assert.Equal(secret, plain);
        cipher[^1] ^= 1;
        Assert.False(policy!.TryDecryptAsymmetric(key, cipher, out _));
        Assert.False(policy!.TryDecryptAsymmetric(key, cipher.AsSpan(1), out _));
    }

    [Theory]
    [MemberData(nameof(Policies))]
    public void VerifyAsymmetric_WrongDataOrSignature_False(string name)
    {
        SecurityPolicies.TryGetByName(name, out var policy);
        var signature = policy!.SignAsymmetric(TestCertificates.Server.PrivateKey, "data"u8);
        var der = TestCertificates.Server.Der;

        Assert.True(policy!.VerifyAsymmetric(der, "data"u8, signature));
        Assert.False(policy!.VerifyAsymmetric(der, "date"u8, signature));
        Assert.False(policy!.VerifyAsymmetric(der, "data"u8, signature.AsSpan(1)));
        Assert.False(policy!.VerifyAsymmetric(TestCertificates.Client.Der, "data"u8, signature));
        Assert.False(policy!.VerifyAsymmetric([1, 2, 3], "data"u8, signature));
    }

    /// <summary>The number is the same, the octets are not those of a signature (RFC 8017 §8.1.2, step 1).</summary>
    [Theory]
    [MemberData(nameof(Policies))]
    public void VerifyAsymmetric_LeadingZeroIsMissing_False(string name)
    {
        SecurityPolicies.TryGetByName(name, out var policy);
        byte[] data, signature;
        var number = 0;
        do
        {
            data = BitConverter.GetBytes(++number);
            signature = policy!.SignAsymmetric(TestCertificates.Server.PrivateKey, data);
        }
        while (signature[0] != 0);

        Assert.True(policy!.VerifyAsymmetric(TestCertificates.Server.Der, data, signature));
        Assert.False(policy!.VerifyAsymmetric(TestCertificates.Server.Der, data, signature.AsSpan(1)));
    }

    [Fact]
    public void TryGet_DeprecatedPolicies_NotThere()
    {
        Assert.False(SecurityPolicies.TryGet("http://opcfoundation.org/UA/SecurityPolicy#Basic128Rsa15", out _));
        Assert.False(SecurityPolicies.TryGet("http://opcfoundation.org/UA/SecurityPolicy#Basic256", out _));
        Assert.False(SecurityPolicies.TryGet(null, out _));
        Assert.True(SecurityPolicies.TryGet("http://opcfoundation.org/UA/SecurityPolicy#None", out _));
    }

    [Theory]
    [InlineData(2048, 3072)]
    [InlineData(4096, 4096)]
    public void PublicKeyCache_Key_IsCountedByItsLength(int bits, int bytes)
    {
        using var key = RSA.Create(bits);
        Assert.Equal(bytes, PublicKeyCache.BytesOf(key));
        Assert.InRange(PublicKeyCache.YoungBytes, 0, PublicKeyCache.MaxGenerationBytes);
    }

    [Fact]
    public void PublicKeyCache_SameCertificate_SameKeyOnceProvenAndNoCertificateNone()
    {
        Assert.True(PublicKeyCache.TryGet(TestCertificates.Server.Der, out var key));
        key.Proven();
        Assert.True(PublicKeyCache.TryGet(TestCertificates.Server.Der, out var again));
        Assert.Same(key.Key, again.Key);
        Assert.Equal(TestCertificates.Server.PrivateKey.ExportRSAPublicKey(), key.Key.ExportRSAPublicKey());

        var der = TestCertificates.Server.Der;
        for (var length = 0; length < der.Length; length += 13)
            Assert.False(PublicKeyCache.TryGet(der.AsSpan(0, length), out _));
    }

    [Fact]
    public void TryGetPublicKey_EllipticCurveCertificate_False()
    {
        using var curve = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var start = new DateTimeOffset(2020, 1, 1, 0, 0, 0, TimeSpan.Zero);
        using var certificate = new CertificateRequest("CN=ec", curve, HashAlgorithmName.SHA256)
            .CreateSelfSigned(start, start.AddYears(50));

        Assert.False(AsymmetricCryptography.TryGetPublicKey(certificate.RawData, out _));
    }
}
