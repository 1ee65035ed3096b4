using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;

namespace Gateway.Transport.Tests.Certificates;

/// <summary>R47: nothing is cached from a claim before its signature is verified, and what is cached is bounded in
/// bytes.
/// </summary>
public sealed class ProofTests
{
    private static readonly DateTimeOffset NextYear = new(2027, 1, 1, 0, 0, 0, TimeSpan.Zero);
    private static readonly TestRecipe Root = TestRecipe.Authority("root");
    private static readonly TestRecipe Middle = TestRecipe.Authority("middle");

    [Fact]
    public async Task Validate_ClaimsWithChangingJunk_NothingIsCached()
    {
        await using var pki = new TestPki();
        var leaf = TestCertificates.SelfSigned(new TestRecipe());
        pki.Put("trusted/certs", leaf);
        var validator = pki.Validator();
        for (var i = 0; i < 100; i++)
            Assert.True(validator.Validate((byte[])[.. leaf, .. Junk(i)], null, null).IsAccepted);

        Assert.Equal(0, validator.Cache.Count);
    }

    [Fact]
    public async Task Proven_ChangingJunkBehindALeaf_OneEntryOfTheChainThatWasUsed()
    {
        await using var pki = new TestPki();
        var leaf = TestCertificates.SelfSigned(new TestRecipe());
        pki.Put("trusted/certs", leaf);
        var validator = pki.Validator();
        for (var i = 0; i < 100; i++)
        {
            var verdict = validator.Validate((byte[])[.. leaf, .. Junk(i)], null, null);
            Assert.Equal(leaf, verdict.Chain);
            Assert.Equal(i == 0 ? 1 : 0, verdict.SignatureChecks);
            validator.Proven(verdict);
        }

        Assert.Equal(1, validator.Cache.Count);
        Assert.InRange(validator.Cache.Bytes, leaf.Length, leaf.Length + 4096);
    }

    [Fact]
    public async Task Proven_RefusedVerdict_NotCached()
    {
        await using var pki = new TestPki();
        var validator = pki.Validator();
        validator.Proven(validator.Validate(TestCertificates.SelfSigned(new TestRecipe()), null, null));

        Assert.Equal(0, validator.Cache.Count);
    }

    [Fact]
    public async Task Proven_PathThroughAnIssuerThatWasSent_HeldWithItAndNeededAgain()
    {
        await using var pki = PkiWithRoot();
        var leaf = TestCertificates.Signed(new TestRecipe(), Middle);
        var middle = TestCertificates.Signed(Middle, Root);
        var validator = pki.Validator();
        byte[] sent = [.. leaf, .. Junk(1), .. middle, .. Junk(2)];
        var verdict = validator.Validate(sent, null, null);
        validator.Proven(verdict);

        Assert.Equal((byte[])[.. leaf, .. middle], verdict.Chain);
        Assert.Equal(leaf, verdict.Leaf);
        Assert.Equal(0, validator.Validate(sent, null, null).SignatureChecks);
        Assert.Equal(0, validator.Validate(verdict.Chain, null, null).SignatureChecks);
        Assert.True(validator.Validate(leaf, null, null).Fault.HasFlag(CertificateFault.ChainIncomplete));
    }

    [Fact]
    public async Task Proven_MoreThanTheBytesAllow_TheOneNotUsedForLongestGoes()
    {
        await using var pki = new TestPki();
        var validator = pki.Validator(new CertificateValidatorOptions
        {
            AutoTrust = true,
            Limits = new TransportLimits { MaxCertificateCacheBytes = 16 * 1024 },
        });
        var first = TestCertificates.SelfSigned(new TestRecipe { Subject = "CN=first" });
        validator.Proven(validator.Validate(first, null, null));
        for (var i = 0; i < 50; i++)
        {
            var leaf = TestCertificates.SelfSigned(new TestRecipe { Subject = $"CN=client{i}" });
            validator.Proven(validator.Validate(leaf, null, null));
            Assert.Equal(0, validator.Validate(first, null, null).SignatureChecks);
            Assert.InRange(validator.Cache.Bytes, 1, 16 * 1024);
        }

        Assert.InRange(validator.Cache.Evicted, 30, 50);
    }

    /// <summary>What is accepted for want of a revocation list is no longer when one says otherwise: at once, not after
    /// a poll.</summary>
    [Fact]
    public async Task Validate_AcceptedForWantOfAListAndOneComes_CountsAtOnce()
    {
        await using var pki = new TestPki();
        pki.Put("trusted/certs", TestCertificates.SelfSigned(Root));
        var leaf = TestCertificates.Signed(new TestRecipe(), Root);
        var validator = pki.Validator(new CertificateValidatorOptions { AcceptUnknownRevocation = true });
        validator.Proven(validator.Validate(leaf, null, null));
        Assert.True(validator.Validate(leaf, null, null).IsAccepted);

        pki.Put("trusted/crl", TestCertificates.RevocationList(Root, NextYear, [leaf]), "root.crl");

        Assert.Equal(CertificateFault.Revoked, validator.Validate(leaf, null, null).Fault);
    }

    [Fact]
    public async Task Validate_TenThousandHandshakesOfProvenClients_NoFurtherSignatureCheck()
    {
        await using var pki = PkiWithRoot();
        var validator = pki.Validator();
        var clients = Enumerable.Range(0, 100)
            .Select(i => (byte[])[
                .. TestCertificates.Signed(new TestRecipe { Subject = $"CN=client{i}" }, Middle),
                .. TestCertificates.Signed(Middle, Root)])
            .ToArray();
        foreach (var client in clients)
            validator.Proven(validator.Validate(client, null, null));

        var checks = 0;
        for (var i = 0; i < 10_000; i++)
            checks += validator.Validate(clients[i % 100], null, TestRecipe.ApplicationUri).SignatureChecks;

        Assert.Equal(0, checks);
    }

    private static TestPki PkiWithRoot()
    {
        var pki = new TestPki();
        pki.Put("trusted/certs", TestCertificates.SelfSigned(Root));
        pki.Put("issuer/crl", TestCertificates.RevocationList(Root, NextYear, []), "root.crl");
        pki.Put("issuer/crl", TestCertificates.RevocationList(Middle, NextYear, []), "middle.crl");
        return pki;
    }

    /// <summary>A SEQUENCE that is no certificate.</summary>
    private static byte[] Junk(int number) =>
        [0x30, 0x82, 0x01, 0x04, .. new byte[256], .. BitConverter.GetBytes(number)];
}
