using Gateway.Codec.Types;
using Gateway.Transport.Certificates;

namespace Gateway.Transport.Tests.Certificates;

public sealed class CertificateFaultTests
{
    public static TheoryData<CertificateFault> Singles => [.. FaultyChain.Kinds];

    public static TheoryData<CertificateFault, CertificateFault> Pairs
    {
        get
        {
            var pairs = new TheoryData<CertificateFault, CertificateFault>();
            for (var one = 0; one < FaultyChain.Kinds.Length; one++)
            {
                for (var other = one + 1; other < FaultyChain.Kinds.Length; other++)
                {
                    if (!FaultyChain.AreContradictory(FaultyChain.Kinds[one] | FaultyChain.Kinds[other]))
                        pairs.Add(FaultyChain.Kinds[one], FaultyChain.Kinds[other]);
                }
            }
            return pairs;
        }
    }

    [Fact]
    public async Task Validate_NoFault_Accepted()
    {
        await using var pki = new TestPki();
        var leaf = FaultyChain.Arrange(pki, CertificateFault.None);

        var verdict = pki.Validator().Validate(leaf, null, TestRecipe.ApplicationUri);

        Assert.Equal(CertificateFault.None, verdict.Fault);
        Assert.Equal(StatusCode.Good, verdict.PublicStatus);
        Assert.Equal(leaf, verdict.Leaf);
        Assert.Equal(40, verdict.Thumbprint.Length);
    }

    [Theory]
    [MemberData(nameof(Singles))]
    public async Task Validate_OneFault_RefusedForIt(CertificateFault fault)
    {
        await using var pki = new TestPki();
        var leaf = FaultyChain.Arrange(pki, fault);

        var verdict = pki.Validator().Validate(leaf, null, TestRecipe.ApplicationUri);

        // Without its issuer nobody vouches for a leaf.
        var expected = fault == CertificateFault.SignatureInvalid ? fault | CertificateFault.Untrusted : fault;
        Assert.Equal(expected, verdict.Fault);
        Assert.Equal(StatusCodes.BadSecurityChecksFailed, verdict.PublicStatus.Code);
        Assert.True(verdict.Status.IsBad);
        Assert.Contains(verdict.Thumbprint, verdict.Detail, StringComparison.Ordinal);
        Assert.Contains(fault.ToString(), verdict.Detail, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task Validate_TwoFaults_NoneHidesTheOtherUnderAnySuppression(CertificateFault one,
        CertificateFault other)
    {
        await using var pki = new TestPki();
        var leaf = FaultyChain.Arrange(pki, one | other);
        var visible = FaultyChain.Visible(one | other);

        foreach (var (autoTrust, unknownRevocation) in
            new[] { (false, false), (true, false), (false, true), (true, true) })
        {
            var options = new CertificateValidatorOptions
            {
                AutoTrust = autoTrust,
                AcceptUnknownRevocation = unknownRevocation,
            };
            var allowed = (autoTrust ? CertificateFault.Untrusted | CertificateFault.ChainIncomplete : 0) |
                (unknownRevocation ? CertificateFault.RevocationUnknown | CertificateFault.IssuerRevocationUnknown : 0);

            var verdict = pki.Validator(options).Validate(leaf, null, TestRecipe.ApplicationUri);

            Assert.Equal(visible & ~allowed, verdict.Fault & visible);
            Assert.Equal(CertificateFault.None, verdict.Fault & allowed);
            Assert.Equal((visible & ~allowed) == 0, verdict.IsAccepted);
            Assert.Equal(
                verdict.IsAccepted ? StatusCodes.Good : StatusCodes.BadSecurityChecksFailed, verdict.PublicStatus.Code);
        }
    }

    [Theory]
    [InlineData(CertificateFault.KeyUsageMissing, true, false)]
    [InlineData(CertificateFault.KeyUsageMissing, false, true)]
    [InlineData(CertificateFault.DataEnciphermentMissing, true, false)]
    [InlineData(CertificateFault.DataEnciphermentMissing, false, true)]
    [InlineData(CertificateFault.UsageNotAllowed, true, true)]
    public async Task Validate_UsageCheckSwitchedOff_ThatOneAloneAndEachCertificateIsLogged(
        CertificateFault fault, bool acceptsMissing, bool acceptsWithoutEncipherment)
    {
        await using var pki = new TestPki();
        var leaf = FaultyChain.Arrange(pki, fault);
        var validator = pki.Validator(new CertificateValidatorOptions
        {
            AcceptMissingKeyUsage = acceptsMissing,
            AcceptMissingDataEncipherment = acceptsWithoutEncipherment,
        });
        var isAccepted = (fault == CertificateFault.KeyUsageMissing && acceptsMissing) ||
            (fault == CertificateFault.DataEnciphermentMissing && acceptsWithoutEncipherment);

        var verdict = validator.Validate(leaf, null, TestRecipe.ApplicationUri);
        validator.Proven(verdict);

        Assert.Equal(isAccepted, verdict.IsAccepted);
        Assert.Equal(
            isAccepted,
            pki.Logs.Lines.Any(line => line.Text.Contains(fault.ToString(), StringComparison.Ordinal) &&
                line.Text.Contains("accepted although", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData("")]
    [InlineData("urn:test:client/")]
    [InlineData("urn:test:client ")]
    [InlineData(" urn:test:client")]
    [InlineData("URN:test:client")]
    [InlineData("urn:TEST:client")]
    [InlineData("urn:test:Client")]
    [InlineData("urn:test:clien")]
    [InlineData("urn:test:client2")]
    [InlineData("urn:test:client\0")]
    [InlineData("urn:test:client\0.evil")]
    [InlineData("urn:test:%63lient")]
    [InlineData("urn:test:client#")]
    [InlineData("urn:test:client?")]
    [InlineData("urn:test:cl\u0456ent")]
    [InlineData("urn:test:client\n")]
    [InlineData("urn:test")]
    [InlineData("test:client")]
    [InlineData("urn:test:client,urn:test:other")]
    [InlineData("urn:test:\u200bclient")]
    public async Task Validate_OtherApplicationUri_Refused(string claimed)
    {
        await using var pki = new TestPki();
        var leaf = FaultyChain.Arrange(pki, CertificateFault.None);

        var verdict = pki.Validator().Validate(leaf, null, claimed);

        Assert.Equal(CertificateFault.UriMismatch, verdict.Fault);
        Assert.Equal(StatusCodes.BadCertificateUriInvalid, verdict.Status.Code);
        Assert.DoesNotContain(verdict.Detail, char.IsControl);
    }
}
