using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;

namespace Gateway.Transport.Tests.Certificates;

/// <summary>Chains that a stranger made to be expensive (R11, R33): what one costs is bounded before anything is
/// proven.
/// </summary>
public sealed class CraftedChainTests
{
    private static readonly DateTimeOffset NextYear = new(2027, 1, 1, 0, 0, 0, TimeSpan.Zero);
    private static readonly TestRecipe Root = TestRecipe.Authority("root");

    [Theory]
    [InlineData(4104)]
    [InlineData(8192)]
    public async Task Validate_IssuersWithHugeKeys_NotUsed(int bits)
    {
        await using var pki = new TestPki();
        var leaf = TestCertificates.Signed(new TestRecipe(), Root);
        byte[] blob = [.. leaf, .. Enumerable.Range(0, 5).SelectMany(_ => Claimed(Root.Subject, bits))];
        var before = CertificateCounters.LongKeys;

        var verdict = pki.Validator(new() { AutoTrust = true }).Validate(blob, null, null);

        Assert.Equal(CertificateFault.KeyLength, verdict.Fault);
        Assert.InRange(CertificateCounters.LongKeys - before, 5, 1000);
    }

    [Fact]
    public async Task Validate_LeafWithAHugeKey_ItsOwnSignatureIsNotChecked()
    {
        await using var pki = new TestPki();

        var verdict = pki.Validator().Validate(Claimed("CN=huge", 8192), null, null);

        Assert.True(verdict.Fault.HasFlag(CertificateFault.KeyLength));
        Assert.Equal(0, verdict.SignatureChecks);
    }

    [Fact]
    public async Task Validate_ManyIssuersOfOneName_SixAreLookedAt()
    {
        await using var pki = new TestPki();
        var leaf = TestCertificates.Signed(new TestRecipe(), Root);
        byte[] blob = [.. leaf, .. Enumerable.Range(0, 9).SelectMany(_ => Claimed(Root.Subject, 4096))];
        var before = CertificateCounters.ChainsCut;

        var verdict = pki.Validator().Validate(blob, null, null);

        Assert.Equal(6, verdict.SignatureChecks);
        Assert.True(verdict.Fault.HasFlag(CertificateFault.SignatureInvalid | CertificateFault.ChainTooLong));
        Assert.InRange(CertificateCounters.ChainsCut - before, 1, 1000);
    }

    [Theory]
    [InlineData(6, 4, true)]
    [InlineData(6, 6, false)]
    [InlineData(8, 6, true)]
    public async Task Validate_ChainUnderATrustedRoot_AsLongAsTheChecksReach(
        int limit, int authorities, bool isAccepted)
    {
        await using var pki = new TestPki();
        pki.Put("trusted/certs", TestCertificates.SelfSigned(Root));
        var names = Enumerable.Range(0, authorities).Select(i => TestRecipe.Authority("authority" + i)).ToArray();
        TestRecipe[] above = [.. names, Root];
        var blob = new List<byte>(TestCertificates.Signed(new TestRecipe(), above[0]));
        for (var i = 0; i < authorities; i++)
            blob.AddRange(TestCertificates.Signed(above[i], above[i + 1]));

        var verdict = pki.Validator(new CertificateValidatorOptions
        {
            AcceptUnknownRevocation = true,
            Limits = new TransportLimits { MaxChainSignatureChecks = limit },
        }).Validate(blob.ToArray(), null, null);

        Assert.Equal(isAccepted, verdict.IsAccepted);
        Assert.InRange(verdict.SignatureChecks, 1, limit);
    }

    /// <summary>An authority that only the peer knows may bear the name of one whose lists are large.</summary>
    [Fact]
    public async Task Validate_ListsUnderTheNameOfACraftedIssuer_CountAsChecks()
    {
        await using var pki = new TestPki();
        for (var i = 0; i < 20; i++)
            pki.Put("issuer/crl", TestCertificates.RevocationList(Root, NextYear, []), $"{i}.crl");
        var crafted = Root with { KeyName = "crafted" };
        byte[] blob = [.. TestCertificates.Signed(new TestRecipe(), crafted), .. TestCertificates.SelfSigned(crafted)];

        var verdict = pki.Validator().Validate(blob, null, null);

        Assert.Equal(6, verdict.SignatureChecks);
        Assert.False(verdict.IsAccepted);
    }

    [Fact]
    public async Task Validate_IssuerOnACurveThatNoPolicyNames_NotUsed()
    {
        await using var pki = new TestPki();
        using var key = ECDsa.Create(ECCurve.CreateFromValue("1.3.132.0.10"));
        var request = new CertificateRequest(Root.Subject, key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        using var issuer = request.CreateSelfSigned(NextYear.AddYears(-2), NextYear);
        using var leafKey = RSA.Create(2048);
        var leafRequest = new CertificateRequest(
            "CN=client", leafKey, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        using var leaf = leafRequest.Create(
            issuer.SubjectName, X509SignatureGenerator.CreateForECDsa(key), issuer.NotBefore, issuer.NotAfter, [1]);

        var verdict = pki.Validator(new() { AutoTrust = true }).Validate(
            (byte[])[.. leaf.RawData, .. issuer.RawData], null, null);

        Assert.True(verdict.Fault.HasFlag(CertificateFault.KeyLength), verdict.Detail);
        Assert.Equal(1, verdict.SignatureChecks);
    }

    /// <summary>Nobody has its private key: any odd number is a modulus.</summary>
    private static byte[] Claimed(string subject, int bits)
    {
        var modulus = RandomNumberGenerator.GetBytes(bits / 8);
        modulus[0] |= 0x80;
        modulus[^1] |= 1;
        using var key = RSA.Create(new RSAParameters { Modulus = modulus, Exponent = [1, 0, 1] });
        var request = new CertificateRequest(
            new X500DistinguishedName(subject), key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        using var certificate = request.Create(
            new X500DistinguishedName(subject),
            X509SignatureGenerator.CreateForRSA(TestCertificates.KeyOf(Root), RSASignaturePadding.Pkcs1),
            NextYear.AddYears(-2), NextYear, [1, 2, 3, 4]);
        return certificate.RawData;
    }
}
