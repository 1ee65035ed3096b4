using Gateway.Transport.Certificates;

namespace Gateway.Transport.Tests.Certificates;

public sealed class RejectedCertificatesTests
{
    [Fact]
    public async Task Add_MoreThanKept_OldestGo()
    {
        await using var pki = new TestPki(maxRejected: 3);
        var validator = pki.Validator();
        for (var i = 0; i < 8; i++)
        {
            validator.Validate(TestCertificates.SelfSigned(new TestRecipe { Subject = $"CN=stranger{i}" }), null, null);
            pki.Time.Advance(TimeSpan.FromSeconds(1));
        }
        await pki.FinishWritingAsync();

        var names = Directory.GetFiles(pki.RejectedFolder).Select(Path.GetFileName).ToArray();
        Assert.Equal(3, names.Length);
        Assert.All(names, name => Assert.Matches(@"^stranger[567]\[[0-9A-F]{40}\]\.der$", name));
    }

    [Fact]
    public async Task Add_Flood_BoundedInASecond()
    {
        await using var pki = new TestPki();
        var validator = pki.Validator();
        for (var i = 0; i < 50; i++)
            validator.Validate(TestCertificates.SelfSigned(new TestRecipe { Subject = $"CN=flood{i}" }), null, null);
        await pki.FinishWritingAsync();

        Assert.InRange(Directory.GetFiles(pki.RejectedFolder).Length, 1, 20);
    }

    [Theory]
    [InlineData("CN=../../../etc/passwd")]
    [InlineData("CN=\"a,b/c:d*e?f\"")]
    [InlineData("CN={0}{1:x}")]
    [InlineData("O=no common name")]
    public async Task Add_HostileSubject_HarmlessFileName(string subject)
    {
        await using var pki = new TestPki();
        pki.Validator().Validate(TestCertificates.SelfSigned(new TestRecipe { Subject = subject }), null, null);
        await pki.FinishWritingAsync();

        var name = Path.GetFileName(Assert.Single(Directory.GetFiles(pki.RejectedFolder)));
        Assert.Matches(@"^[A-Za-z0-9_-]*\[[0-9A-F]{40}\]\.der$", name);
    }

    [Fact]
    public async Task Add_BrokenSignature_NotKept()
    {
        await using var pki = new TestPki();
        var leaf = TestCertificates.SelfSigned(new TestRecipe());
        leaf[^1] ^= 1;
        var verdict = pki.Validator().Validate(leaf, null, null);
        await pki.FinishWritingAsync();

        Assert.True(verdict.Fault.HasFlag(CertificateFault.SignatureInvalid));
        Assert.Empty(Directory.GetFiles(pki.RejectedFolder));
    }
}
