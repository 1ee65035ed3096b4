using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Gateway.Transport.Certificates;

namespace Gateway.Transport.Tests.Certificates;

public sealed class ApplicationCertificateStoreTests
{
    private static readonly ApplicationCertificateOptions Options = new()
    {
        ApplicationUri = "urn:test:gateway",
        ApplicationName = "OPC UA Gateway",
        HostNames = ["gateway.plant.test", "192.0.2.7"],
    };

    [Fact]
    public async Task LoadOrCreate_FirstStart_CertificateAsTheStandardAsks()
    {
        await using var pki = new TestPki();
        using var made = new ApplicationCertificateStore(pki.Store).LoadOrCreate(Options);

        Assert.Equal("urn:test:gateway", made.ApplicationUri);
        Assert.Equal(2048, made.PrivateKey.KeySize);
        Assert.Equal("1.2.840.113549.1.1.11", made.Certificate.SignatureAlgorithm.Value);
        var names = SubjectAltName.Read(made.Certificate);
        Assert.Contains("gateway.plant.test", names.DnsNames);
        Assert.Contains(System.Net.Dns.GetHostName(), names.DnsNames);
        Assert.Contains(System.Net.IPAddress.Parse("192.0.2.7"), names.IPAddresses);
        var usage = made.Certificate.Extensions.OfType<X509KeyUsageExtension>().Single().KeyUsages;
        Assert.True(usage.HasFlag(
            X509KeyUsageFlags.DigitalSignature | X509KeyUsageFlags.NonRepudiation |
            X509KeyUsageFlags.KeyEncipherment | X509KeyUsageFlags.DataEncipherment));
        Assert.Equal(2,
            made.Certificate.Extensions.OfType<X509EnhancedKeyUsageExtension>().Single().EnhancedKeyUsages.Count);
        Assert.False(made.Certificate.Extensions.OfType<X509BasicConstraintsExtension>().Single().CertificateAuthority);
    }

    [Fact]
    public async Task LoadOrCreate_OwnCertificate_PassesOurOwnValidator()
    {
        await using var pki = new TestPki();
        using var made = new ApplicationCertificateStore(pki.Store).LoadOrCreate(Options);
        pki.Put("trusted/certs", made.Der);

        foreach (var role in new[] { CertificatePeerRole.Client, CertificatePeerRole.Server })
        {
            var validator = pki.Validator(new CertificateValidatorOptions { PeerRole = role });
            Assert.Equal(CertificateFault.None, validator.Validate(made.ChainBlob, null, made.ApplicationUri).Fault);
        }
    }

    [Fact]
    public async Task LoadOrCreate_SecondStart_SameCertificateAndProtectedKey()
    {
        await using var pki = new TestPki();
        using var first = new ApplicationCertificateStore(pki.Store).LoadOrCreate(Options);
        var key = Assert.Single(Directory.GetFiles(Path.Combine(pki.Folder, "own", "private")));
        using var second = new ApplicationCertificateStore(pki.Store).LoadOrCreate(
            Options with { ApplicationUri = "urn:test:renamed" });

        Assert.Equal(first.Der, second.Der);
        Assert.Equal("urn:test:gateway", second.ApplicationUri);
        if (!OperatingSystem.IsWindows())
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(key));
    }

    [Fact]
    public async Task LoadOrCreate_KeyReadableByOthers_ProtectedAndTold()
    {
        if (OperatingSystem.IsWindows())
            return;
        await using var pki = new TestPki();
        new ApplicationCertificateStore(pki.Store).LoadOrCreate(Options).Dispose();
        var key = Assert.Single(Directory.GetFiles(Path.Combine(pki.Folder, "own", "private")));
        File.SetUnixFileMode(key, File.GetUnixFileMode(key) | UnixFileMode.GroupRead | UnixFileMode.OtherRead);

        new ApplicationCertificateStore(pki.Store).LoadOrCreate(Options).Dispose();

        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(key));
        Assert.Contains(pki.Logs.Lines, line => line.Text.Contains("0600", StringComparison.Ordinal));
    }

    [Fact]
    public async Task LoadOrCreate_CertificateWithoutItsKey_RefusesAndKeepsTheFiles()
    {
        await using var pki = new TestPki();
        new ApplicationCertificateStore(pki.Store).LoadOrCreate(Options).Dispose();
        var key = Assert.Single(Directory.GetFiles(Path.Combine(pki.Folder, "own", "private")));
        using var other = RSA.Create(2048);
        File.WriteAllText(key, other.ExportPkcs8PrivateKeyPem());

        var error = Assert.Throws<InvalidOperationException>(
            () => new ApplicationCertificateStore(pki.Store).LoadOrCreate(Options));

        Assert.Contains(Path.Combine("own", "private"), error.Message, StringComparison.Ordinal);
        Assert.Single(Directory.GetFiles(Path.Combine(pki.Folder, "own", "certs")));
    }

    /// <summary>The process was killed between the two files of its first start.</summary>
    [Fact]
    public async Task LoadOrCreate_KilledBeforeTheCertificateWasWritten_TheNextStartFinishesIt()
    {
        await using var pki = new TestPki();
        new ApplicationCertificateStore(pki.Store).LoadOrCreate(Options).Dispose();
        File.Delete(Assert.Single(Directory.GetFiles(Path.Combine(pki.Folder, "own", "certs"))));
        var key = Assert.Single(Directory.GetFiles(Path.Combine(pki.Folder, "own", "private")));

        using var made = new ApplicationCertificateStore(pki.Store).LoadOrCreate(Options);
        using var again = new ApplicationCertificateStore(pki.Store).LoadOrCreate(Options);

        Assert.Equal([key], Directory.GetFiles(Path.Combine(pki.Folder, "own", "private")));
        Assert.Single(Directory.GetFiles(Path.Combine(pki.Folder, "own", "certs")));
        Assert.Equal(made.Der, again.Der);
    }

    /// <summary>A key that the operator has put there waits for the operator's certificate.</summary>
    [Theory]
    [InlineData("plant.pem")]
    [InlineData("other[0123456789ABCDEF0123456789ABCDEF01234567].pem")]
    [InlineData("OPC_UA_Gateway[0123456789ABCDEF0123456789ABCDEF0123456_].pem")]
    public async Task LoadOrCreate_KeyOfAnotherNameWithoutCertificate_Refuses(string name)
    {
        await using var pki = new TestPki();
        new ApplicationCertificateStore(pki.Store).LoadOrCreate(Options).Dispose();
        File.Delete(Assert.Single(Directory.GetFiles(Path.Combine(pki.Folder, "own", "certs"))));
        var key = Assert.Single(Directory.GetFiles(Path.Combine(pki.Folder, "own", "private")));
        File.Move(key, Path.Combine(pki.Folder, "own", "private", name));

        Assert.Throws<InvalidOperationException>(() => new ApplicationCertificateStore(pki.Store).LoadOrCreate(Options));

        Assert.Empty(Directory.GetFiles(Path.Combine(pki.Folder, "own", "certs")));
    }

    [Fact]
    public async Task LoadOrCreate_BrokenKeyFile_NamesIt()
    {
        await using var pki = new TestPki();
        new ApplicationCertificateStore(pki.Store).LoadOrCreate(Options).Dispose();
        var key = Assert.Single(Directory.GetFiles(Path.Combine(pki.Folder, "own", "private")));
        File.WriteAllText(key, "no key");

        var error = Assert.Throws<InvalidOperationException>(
            () => new ApplicationCertificateStore(pki.Store).LoadOrCreate(Options));

        Assert.Contains(key, error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1000, null)]
    [InlineData(5 * 365 - 30, "expires")]
    [InlineData(5 * 365 + 1, "expired")]
    public async Task WarnBeforeExpiry_TimeLeft_SaysSo(int days, string? expected)
    {
        await using var pki = new TestPki();
        var store = new ApplicationCertificateStore(pki.Store);
        using var made = store.LoadOrCreate(Options);
        pki.Logs.Lines.Clear();

        pki.Time.MoveWallClock(TimeSpan.FromDays(days));
        store.WarnBeforeExpiry(made);

        if (expected is null)
            Assert.Empty(pki.Logs.Lines);
        else
            Assert.Contains(expected, Assert.Single(pki.Logs.Lines).Text, StringComparison.Ordinal);
    }
}
