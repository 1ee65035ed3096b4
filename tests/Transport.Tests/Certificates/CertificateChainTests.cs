using System.Security.Cryptography;
using Gateway.Transport.Certificates;
using Gateway.Transport.Security;

namespace Gateway.Transport.Tests.Certificates;

public sealed class CertificateChainTests
{
    private static readonly DateTimeOffset NextYear = new(2027, 1, 1, 0, 0, 0, TimeSpan.Zero);
    private static readonly TestRecipe Root = TestRecipe.Authority("root");
    private static readonly TestRecipe Middle = TestRecipe.Authority("middle");

    [Fact]
    public async Task Validate_NoCertificate_Missing()
    {
        await using var pki = new TestPki();

        Assert.Equal(CertificateFault.Missing, pki.Validator().Validate(default, null, null).Fault);
    }

    [Fact]
    public async Task Validate_MoreThanTenCertificates_ChainTooLong()
    {
        await using var pki = new TestPki();
        var one = TestCertificates.SelfSigned(new TestRecipe());
        byte[] blob = [.. Enumerable.Repeat(one, 11).SelectMany(der => der)];

        Assert.Equal(CertificateFault.ChainTooLong, pki.Validator().Validate(blob, null, null).Fault);
    }

    [Fact]
    public async Task Validate_BlobBeyondItsBound_TooLarge()
    {
        await using var pki = new TestPki();

        Assert.Equal(CertificateFault.TooLarge, pki.Validator().Validate(new byte[33 * 1024], null, null).Fault);
    }

    [Theory]
    [InlineData("00")]
    [InlineData("3082FFFF")]
    [InlineData("30847FFFFFFF00")]
    [InlineData("3000")]
    [InlineData("30030201")]
    public async Task Validate_NoCertificateAtAll_Malformed(string hex)
    {
        await using var pki = new TestPki();

        Assert.Equal(
            CertificateFault.Malformed, pki.Validator().Validate(Convert.FromHexString(hex), null, null).Fault);
    }

    [Fact]
    public async Task Validate_TrailingByte_Malformed()
    {
        await using var pki = new TestPki();
        var leaf = TestCertificates.SelfSigned(new TestRecipe());
        pki.Put("trusted/certs", leaf);

        Assert.True(pki.Validator().Validate(leaf, null, null).IsAccepted);
        Assert.Equal(
            CertificateFault.Malformed, pki.Validator().Validate((byte[])[.. leaf, 0], null, null).Fault);
    }

    [Fact]
    public async Task Validate_EveryBitFlippedAndEveryCut_NeverAcceptedNeverThrows()
    {
        await using var pki = new TestPki();
        var leaf = TestCertificates.SelfSigned(new TestRecipe());
        pki.Put("trusted/certs", leaf);
        var validator = pki.Validator();
        var accepted = 0;
        for (var position = 0; position < leaf.Length; position++)
        {
            var flipped = (byte[])leaf.Clone();
            flipped[position] ^= (byte)(1 << (position % 8));
            accepted += validator.Validate(flipped, null, null).IsAccepted ? 1 : 0;
            accepted += validator.Validate(leaf.AsMemory(0, position), null, null).IsAccepted ? 1 : 0;
        }

        Assert.Equal(0, accepted);
    }

    [Theory]
    [InlineData("trusted/certs")]
    [InlineData("trusted")]
    public async Task Validate_PeerSendsItsIssuers_AcceptedUnderTrustedRoot(string folder)
    {
        await using var pki = new TestPki();
        pki.Put(folder, TestCertificates.SelfSigned(Root));
        pki.Put("issuer/crl", TestCertificates.RevocationList(Root, NextYear, []), "root.crl");
        pki.Put("issuer/crl", TestCertificates.RevocationList(Middle, NextYear, []), "middle.crl");
        var leaf = TestCertificates.Signed(new TestRecipe(), Middle);
        byte[] blob = [.. leaf, .. TestCertificates.Signed(Middle, Root)];

        var verdict = pki.Validator().Validate(blob, SecurityPolicies.Basic256Sha256, TestRecipe.ApplicationUri);

        Assert.Equal(CertificateFault.None, verdict.Fault);
        Assert.Equal(leaf, verdict.Leaf);
    }

    [Fact]
    public async Task Validate_MiddleAuthorityRevoked_IssuerRevoked()
    {
        await using var pki = new TestPki();
        var middle = TestCertificates.Signed(Middle, Root);
        pki.Put("trusted/certs", TestCertificates.SelfSigned(Root));
        pki.Put("trusted/crl", TestCertificates.RevocationList(Root, NextYear, [middle]), "root.crl");
        pki.Put("issuer/crl", TestCertificates.RevocationList(Middle, NextYear, []), "middle.crl");
        byte[] blob = [.. TestCertificates.Signed(new TestRecipe(), Middle), .. middle];

        Assert.Equal(CertificateFault.IssuerRevoked, pki.Validator().Validate(blob, null, null).Fault);
    }

    [Fact]
    public async Task Validate_PathLongerThanTheRootAllows_IssuerUsageNotAllowed()
    {
        await using var pki = new TestPki();
        var root = Root with { PathLength = 0 };
        pki.Put("trusted/certs", TestCertificates.SelfSigned(root));
        pki.Put("issuer/crl", TestCertificates.RevocationList(root, NextYear, []), "root.crl");
        pki.Put("issuer/crl", TestCertificates.RevocationList(Middle, NextYear, []), "middle.crl");
        byte[] blob = [.. TestCertificates.Signed(new TestRecipe(), Middle), .. TestCertificates.Signed(Middle, root)];

        Assert.Equal(CertificateFault.IssuerUsageNotAllowed, pki.Validator().Validate(blob, null, null).Fault);
    }

    [Fact]
    public async Task Validate_AuthoritiesThatSignEachOther_Ends()
    {
        await using var pki = new TestPki();
        byte[] blob =
        [
            .. TestCertificates.Signed(new TestRecipe(), Middle), .. TestCertificates.Signed(Middle, Root),
            .. TestCertificates.Signed(Root, Middle),
        ];

        var verdict = pki.Validator().Validate(blob, null, null);

        Assert.Equal(CertificateFault.ChainIncomplete | CertificateFault.Untrusted, verdict.Fault & (
            CertificateFault.ChainIncomplete | CertificateFault.Untrusted));
    }

    [Fact]
    public async Task Validate_LeafOfAnotherBehindTrustedOne_LeafAloneSpeaks()
    {
        await using var pki = new TestPki();
        var trusted = TestCertificates.SelfSigned(new TestRecipe());
        pki.Put("trusted/certs", trusted);
        var stranger = TestCertificates.SelfSigned(new TestRecipe { Subject = "CN=stranger", KeyName = "stranger" });

        var verdict = pki.Validator().Validate((byte[])[.. stranger, .. trusted], null, null);

        Assert.Equal(CertificateFault.Untrusted, verdict.Fault);
        Assert.Equal(stranger, verdict.Leaf);
    }

    [Fact]
    public async Task Validate_RevocationListOfAnotherKey_IsNoList()
    {
        await using var pki = new TestPki();
        pki.Put("trusted/certs", TestCertificates.SelfSigned(Root));
        pki.Put("trusted/crl", TestCertificates.RevocationList(Root, NextYear, [], keyName: "forger"), "root.crl");
        var leaf = TestCertificates.Signed(new TestRecipe(), Root);

        Assert.Equal(CertificateFault.RevocationUnknown, pki.Validator().Validate(leaf, null, null).Fault);
    }

    [Fact]
    public async Task Validate_RevocationListRunsOut_UnknownButRevokedStaysRevoked()
    {
        await using var pki = new TestPki();
        var revoked = TestCertificates.Signed(new TestRecipe(), Root);
        var good = TestCertificates.Signed(new TestRecipe(), Root);
        pki.Put("trusted/certs", TestCertificates.SelfSigned(Root));
        pki.Put("trusted/crl", TestCertificates.RevocationList(
            Root, new DateTimeOffset(2026, 1, 2, 0, 0, 0, TimeSpan.Zero), [revoked]), "root.crl");
        var validator = pki.Validator();
        Assert.True(validator.Validate(good, null, null).IsAccepted);

        pki.Time.MoveWallClock(TimeSpan.FromDays(2));

        Assert.Equal(CertificateFault.RevocationUnknown, validator.Validate(good, null, null).Fault);
        Assert.True(validator.Validate(revoked, null, null).Fault.HasFlag(CertificateFault.Revoked));
    }

    [Theory]
    [InlineData(2048, true)]
    [InlineData(3072, true)]
    [InlineData(1024, false)]
    public async Task Validate_KeyLengthByPolicy_InRangeOnly(int bits, bool accepted)
    {
        await using var pki = new TestPki();
        var leaf = TestCertificates.SelfSigned(new TestRecipe { KeyBits = bits });
        pki.Put("trusted/certs", leaf);

        var verdict = pki.Validator().Validate(leaf, SecurityPolicies.Aes256Sha256RsaPss, null);

        Assert.Equal(accepted ? CertificateFault.None : CertificateFault.KeyLength, verdict.Fault);
    }

    [Fact]
    public async Task Validate_EllipticCurveKey_KeyAlgorithm()
    {
        await using var pki = new TestPki();
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new System.Security.Cryptography.X509Certificates.CertificateRequest(
            "CN=curve", key, HashAlgorithmName.SHA256);
        using var certificate = request.CreateSelfSigned(
            pki.Time.GetUtcNow().AddDays(-1), pki.Time.GetUtcNow().AddDays(1));

        var verdict = pki.Validator().Validate(certificate.RawData, null, null);

        Assert.True(verdict.Fault.HasFlag(CertificateFault.KeyAlgorithm), verdict.Detail);
    }
}
