using Gateway.Codec.Types;
using Gateway.Transport.Certificates;
using Gateway.Transport.Certificates.Peers;

namespace Gateway.Transport.Tests.Certificates;

/// <summary>A peer that the gateway connects to again and again has another certificate than before.</summary>
public sealed class ChangedCertificateTests
{
    private static readonly TestRecipe Root = TestRecipe.Authority("root");

    /// <summary>An authority vouches for both: an operator decides all the same.</summary>
    [Fact]
    public async Task Validate_AnotherCertificateOfTheSameAuthority_HeldBackWithItsReason()
    {
        await using var pki = new TestPki();
        var peer = new RememberedPeer();
        var validator = ValidatorOf(pki, peer);
        var (first, second) = (IssuedBy(pki), TestCertificates.Signed(
            new TestRecipe { NotAfter = new(2031, 1, 1, 0, 0, 0, TimeSpan.Zero) }, Root));
        validator.Proven(validator.Validate(first, null, null));

        var verdict = validator.Validate(second, null, null);

        Assert.Equal(CertificateFault.Changed, verdict.Fault);
        Assert.Equal(new StatusCode(StatusCodes.BadCertificateUntrusted), verdict.Status);
        Assert.Equal(verdict.Thumbprint, peer.HeldNow);
        await pki.FinishWritingAsync();
        var rejection = pki.Store.Rejected.Find(verdict.Thumbprint)!;
        Assert.Equal("Press", rejection.Upstream);
        Assert.StartsWith(
            "Changed, it is another one than this server had", rejection.Last.Reason, StringComparison.Ordinal);
        Assert.EndsWith($". Until now: {peer.Before}", rejection.Last.Reason, StringComparison.Ordinal);
        Assert.True(validator.Validate(first, null, null).IsAccepted);
    }

    [Fact]
    public async Task Validate_UntrustedAndChanged_BothAreTold()
    {
        await using var pki = new TestPki();
        var validator = ValidatorOf(pki, new RememberedPeer { Before = "AA" });

        var verdict = validator.Validate(TestCertificates.SelfSigned(new TestRecipe()), null, null);

        Assert.Equal(CertificateFault.Changed | CertificateFault.Untrusted, verdict.Fault);
    }

    [Fact]
    public async Task Validate_FirstCertificate_IsRememberedOnlyWithItsProof()
    {
        await using var pki = new TestPki();
        var peer = new RememberedPeer();
        var validator = ValidatorOf(pki, peer);

        var verdict = validator.Validate(IssuedBy(pki), null, null);
        Assert.Equal("", peer.Before);
        validator.Proven(verdict);

        Assert.Equal(verdict.Thumbprint, peer.Before);
    }

    private static CertificateValidator ValidatorOf(TestPki pki, RememberedPeer peer) => pki.Validator(
        new CertificateValidatorOptions
        {
            PeerRole = CertificatePeerRole.Server,
            AcceptUnknownRevocation = true,
            Peer = peer,
        });

    private static byte[] IssuedBy(TestPki pki)
    {
        pki.Put("trusted/certs", TestCertificates.SelfSigned(Root));
        return TestCertificates.Signed(new TestRecipe(), Root);
    }

    private sealed class RememberedPeer : IKnownPeer
    {
        public string Name => "Press";

        public string Before { get; set; } = "";

        public string HeldNow { get; private set; } = "";

        public bool IsChanged(string thumbprint, bool isTrustedItself) => Before.Length > 0 && Before != thumbprint;

        public void Held(string thumbprint, bool isTrustedItself) => HeldNow = thumbprint;

        public void Proven(string thumbprint) => Before = thumbprint;
    }
}
