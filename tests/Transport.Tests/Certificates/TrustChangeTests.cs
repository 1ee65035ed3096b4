using Gateway.Testing;
using Gateway.Transport.Certificates;
using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Tests.Certificates;

public sealed class TrustChangeTests
{
    [Fact]
    public async Task Validate_MovedFromRejectedToTrusted_AcceptedAtTheNextTry()
    {
        await using var pki = new TestPki();
        var leaf = TestCertificates.SelfSigned(new TestRecipe());
        var validator = pki.Validator();
        var before = validator.Validate(leaf, null, null);
        await pki.FinishWritingAsync();

        var file = Assert.Single(Directory.GetFiles(pki.RejectedFolder));
        File.Move(file, Path.Combine(pki.Folder, "trusted", "certs", Path.GetFileName(file)));

        Assert.Equal(CertificateFault.Untrusted, before.Fault);
        Assert.True(validator.Validate(leaf, null, null).IsAccepted);
    }

    [Fact]
    public async Task Validate_RemovedFromTrusted_RefusedAfterThePollAndAnnounced()
    {
        await using var pki = new TestPki();
        var leaf = TestCertificates.SelfSigned(new TestRecipe());
        var file = pki.Put("trusted/certs", leaf);
        pki.Time.Advance(PkiStore.PollInterval);
        var validator = pki.Validator();
        Assert.True(validator.Validate(leaf, null, null).IsAccepted);
        var announced = 0;
        pki.Store.TrustListChanged += () => announced++;

        File.Delete(file);
        pki.Time.Advance(PkiStore.PollInterval);
        pki.Time.Advance(PkiStore.PollInterval);

        Assert.Equal(1, announced);
        Assert.Equal(CertificateFault.Untrusted, validator.Validate(leaf, null, null).Fault);
    }

    [Fact]
    public async Task TrustList_FileComesAndGoes_ToldOnceEachWithItsName()
    {
        await using var pki = new TestPki();
        var told = new List<TrustListChange>();
        pki.Store.TrustListEdited += told.Add;
        var leaf = TestCertificates.SelfSigned(new TestRecipe());
        var file = pki.Put("trusted/certs", leaf);
        pki.Time.Advance(PkiStore.PollInterval);
        pki.Time.Advance(PkiStore.PollInterval);
        var thumbprint = pki.Validator().Validate(leaf, null, null).Thumbprint;
        var added = Assert.Single(told);
        Assert.Equal(("trusted", 1), (added.Folder, added.Trusted));
        Assert.EndsWith(thumbprint, Assert.Single(added.Added), StringComparison.Ordinal);
        Assert.Empty(added.Removed);
        Assert.Contains(", added ", added.ToString(), StringComparison.Ordinal);

        File.Delete(file);
        pki.Time.Advance(PkiStore.PollInterval);
        Assert.Equal(2, told.Count);
        Assert.EndsWith(thumbprint, Assert.Single(told[1].Removed), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Proven_AgainAndAgain_AcceptanceIsToldOnceAVersion()
    {
        await using var pki = new TestPki();
        var leaf = TestCertificates.SelfSigned(new TestRecipe());
        pki.Put("trusted/certs", leaf);
        pki.Time.Advance(PkiStore.PollInterval);
        var told = new List<CertificateVerdict>();
        pki.Store.CertificateAccepted += (verdict, _) => told.Add(verdict);
        var validator = pki.Validator();
        Assert.True(validator.Validate(leaf, null, null).IsAccepted);
        Assert.Empty(told);
        for (var i = 0; i < 3; i++)
            validator.Proven(validator.Validate(leaf, null, null));
        Assert.Single(told);
        pki.Put("trusted/certs", TestCertificates.SelfSigned(new TestRecipe()), "other.der");
        pki.Time.Advance(PkiStore.PollInterval);
        validator.Proven(validator.Validate(leaf, null, null));
        Assert.Equal(2, told.Count);
    }

    [Fact]
    public async Task Validate_RevocationListOverwrittenInPlace_RevokedAfterThePoll()
    {
        await using var pki = new TestPki();
        var root = TestRecipe.Authority("root");
        var until = new DateTimeOffset(2027, 1, 1, 0, 0, 0, TimeSpan.Zero);
        var leaf = TestCertificates.Signed(new TestRecipe(), root);
        pki.Put("trusted/certs", TestCertificates.SelfSigned(root));
        var list = pki.Put("trusted/crl", TestCertificates.RevocationList(root, until, []), "root.crl");
        var validator = pki.Validator();
        validator.Proven(validator.Validate(leaf, null, null));
        Assert.True(validator.Validate(leaf, null, null).IsAccepted);

        File.WriteAllBytes(list, TestCertificates.RevocationList(root, until, [leaf]));
        pki.Time.Advance(PkiStore.PollInterval);

        Assert.Equal(CertificateFault.Revoked, validator.Validate(leaf, null, null).Fault);
    }

    /// <summary>The folder's time does not move when the file gets its content, and says nothing where the clock has
    /// been moved (R28).</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(-1)]
    [InlineData(10 * 365 * 24)]
    [InlineData(-10 * 365 * 24)]
    public async Task Validate_FileFilledAfterTheWallClockJumped_AcceptedAtTheNextTry(double hours)
    {
        await using var pki = new TestPki();
        pki.Time.MoveWallClock(TimeProvider.System.GetUtcNow() - pki.Time.GetUtcNow());
        var leaf = TestCertificates.SelfSigned(TestRecipe.ForDecades);
        var file = pki.Put("trusted/certs", []);
        var validator = pki.Validator();
        Assert.Equal(CertificateFault.Untrusted, validator.Validate(leaf, null, null).Fault);

        pki.Time.MoveWallClock(TimeSpan.FromHours(hours));
        File.WriteAllBytes(file, leaf);

        Assert.True(validator.Validate(leaf, null, null).IsAccepted);
    }

    /// <summary>With the folders' times in the clock's future each refusal would read them anew, for years.</summary>
    [Theory]
    [InlineData(-1)]
    [InlineData(-10 * 365 * 24)]
    public async Task Validate_WallClockJumpedBack_FilesAreReadByThePollAlone(double hours)
    {
        await using var pki = new TestPki();
        var leaf = TestCertificates.SelfSigned(TestRecipe.ForDecades);
        var file = pki.Put("trusted/certs", []);
        pki.Time.Advance(4 * PkiStore.PollInterval);
        pki.Time.MoveWallClock(TimeSpan.FromHours(hours));
        File.WriteAllBytes(file, leaf);
        var validator = pki.Validator();

        Assert.Equal(CertificateFault.Untrusted, validator.Validate(leaf, null, null).Fault);
        pki.Time.Advance(PkiStore.PollInterval);
        Assert.True(validator.Validate(leaf, null, null).IsAccepted);
    }

    /// <summary>All channels are checked again after a change: with as many files as channels the looks would take
    /// their product.</summary>
    [Fact]
    public async Task Validate_ManyTimesJustAfterAChange_FilesAreLookedAtNowAndThen()
    {
        const int tries = 200;
        await using var pki = new TestPki();
        await using var store = new PkiStore(pki.Folder, new TickingTime(), pki.Loggers, 5);
        var validator = new CertificateValidator(store, new());
        var stranger = TestCertificates.SelfSigned(new TestRecipe());
        var file = pki.Put("trusted/certs", []);

        for (var i = 1; i <= tries; i++)
        {
            File.WriteAllBytes(file, new byte[i]);
            Assert.False(validator.Validate(stranger, null, null).IsAccepted);
        }

        Assert.InRange(store.Applications.Current.Version, 3, tries / 2);
    }

    [Fact]
    public async Task Validate_SameBlobAgain_SameVerdictWithoutAllocation()
    {
        await using var pki = new TestPki();
        var leaf = TestCertificates.SelfSigned(new TestRecipe());
        pki.Put("trusted/certs", leaf);
        var validator = pki.Validator();
        validator.Proven(validator.Validate(leaf, null, TestRecipe.ApplicationUri));
        var first = validator.Validate(leaf, null, TestRecipe.ApplicationUri);
        Assert.Same(first, validator.Validate(leaf, null, TestRecipe.ApplicationUri));
        Assert.Equal(0, Allocations.OfThousand(() => validator.Validate(leaf, null, TestRecipe.ApplicationUri)));
    }

    /// <summary>The connection to it fails, which is told with the same words.</summary>
    [Fact]
    public async Task Validate_UntrustedServer_NoLineOfItsOwn()
    {
        await using var pki = new TestPki();
        var validator = pki.Validator(new CertificateValidatorOptions { PeerRole = CertificatePeerRole.Server });

        var verdict = validator.Validate(TestCertificates.SelfSigned(new TestRecipe()), null, null);

        Assert.DoesNotContain(pki.Logs.Lines, line => line.Level == LogLevel.Warning);
        Assert.Contains("nobody has trusted it yet. Its file: ", verdict.Detail, StringComparison.Ordinal);
    }

    /// <summary>A user's certificate is kept like a client's, and the text says the file that it will find there.
    /// </summary>
    [Theory]
    [InlineData(CertificatePeerRole.Client)]
    [InlineData(CertificatePeerRole.User)]
    public async Task Validate_Untrusted_KeptInTheFileThatTheDetailNames(CertificatePeerRole role)
    {
        await using var pki = new TestPki();
        var leaf = TestCertificates.SelfSigned(new TestRecipe());

        var verdict = pki.Validator(new CertificateValidatorOptions { PeerRole = role }).Validate(leaf, null, null);
        await pki.FinishWritingAsync();

        var file = Assert.Single(Directory.GetFiles(pki.RejectedFolder));
        Assert.True(Path.IsPathFullyQualified(file));
        Assert.EndsWith("Its file: " + file, verdict.Detail, StringComparison.Ordinal);
        Assert.DoesNotContain(pki.Logs.Lines, line => line.Text.Contains("is refused", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Validate_ExpiresWhileCached_Expired()
    {
        await using var pki = new TestPki();
        var leaf = TestCertificates.SelfSigned(new TestRecipe());
        pki.Put("trusted/certs", leaf);
        var validator = pki.Validator();
        validator.Proven(validator.Validate(leaf, null, null));
        Assert.True(validator.Validate(leaf, null, null).IsAccepted);

        pki.Time.MoveWallClock(TimeSpan.FromDays(10 * 365));

        Assert.Equal(CertificateFault.Expired, validator.Validate(leaf, null, null).Fault);
    }

    [Fact]
    public async Task Validate_PinnedThumbprint_AcceptedWithoutAFolder()
    {
        await using var pki = new TestPki();
        var leaf = TestCertificates.SelfSigned(new TestRecipe());
        var thumbprint = pki.Validator().Validate(leaf, null, null).Thumbprint;
        var pinned = pki.Validator(new CertificateValidatorOptions
        {
            PeerRole = CertificatePeerRole.User,
            PinnedThumbprints = new HashSet<string> { thumbprint },
        });

        Assert.True(pinned.Validate(leaf, null, null).IsAccepted);
        pki.Time.MoveWallClock(TimeSpan.FromDays(10 * 365));
        Assert.Equal(CertificateFault.Expired, pinned.Validate(leaf, null, null).Fault);
    }

    [Fact]
    public async Task Refresh_BrokenFile_LeftOutAndNamed()
    {
        await using var pki = new TestPki();
        var leaf = TestCertificates.SelfSigned(new TestRecipe());
        pki.Put("trusted/certs", [1, 2, 3], "broken.der");
        pki.Put("trusted/certs", leaf);

        Assert.True(pki.Validator().Validate(leaf, null, null).IsAccepted);
        Assert.Contains(pki.Logs.Lines, line => line.Text.Contains("broken.der", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Refresh_PemBundle_EveryCertificateInIt()
    {
        await using var pki = new TestPki();
        var one = TestCertificates.SelfSigned(new TestRecipe());
        var other = TestCertificates.SelfSigned(new TestRecipe { Subject = "CN=other" });
        var text = string.Concat(new[] { one, other }.Select(der =>
            System.Security.Cryptography.PemEncoding.WriteString("CERTIFICATE", der) + "\n"));
        pki.Put("trusted/certs", System.Text.Encoding.ASCII.GetBytes(text), "bundle.pem");
        var validator = pki.Validator();

        Assert.True(validator.Validate(one, null, null).IsAccepted);
        Assert.True(validator.Validate(other, null, null).IsAccepted);
    }
}
