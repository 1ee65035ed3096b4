using Gateway.Transport.Certificates;
using Gateway.Transport.Certificates.Inventory;
using Gateway.Transport.Hosting;
using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Tests.Certificates.Inventory;

public sealed class CertificateInventoryTests : IAsyncLifetime, IAsyncDisposable
{
    private readonly TestPki _pki = new();
    private readonly CertificateValidators _validators;
    private readonly CertificateInventory _inventory;

    public CertificateInventoryTests()
    {
        _validators = new CertificateValidators(_pki.Store, new PkiOptions(), new TransportLimits());
        _inventory = new CertificateInventory(
            _pki.Store, _validators, _pki.Time, _pki.Loggers.CreateLogger<CertificateInventory>());
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _pki.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Fact]
    public async Task Read_Rejected_SaysWhyWhenFromWhereAndHowOften()
    {
        var drive = TestCertificates.SelfSigned(new TestRecipe { Subject = "CN=drive" });
        _validators.Clients.Validate(drive, null, null, "10.0.0.7");
        await _pki.FinishWritingAsync();

        var entry = Assert.Single(All());

        Assert.Equal((CertificateStore.Rejected, "CN=drive"), (entry.Store, entry.Subject));
        Assert.StartsWith("Untrusted, nobody has trusted it yet", entry.Reason, StringComparison.Ordinal);
        Assert.Equal(CertificatePeerRole.Client, entry.Rejection!.Role);
        Assert.Equal(("10.0.0.7", 1), (entry.Rejection.Address, entry.Rejection.Last.Count));
        Assert.Equal(_pki.Time.GetUtcNow(), entry.Rejection.First);
    }

    /// <summary>Refusals of one whose file is there count, whether they are news or not.</summary>
    [Fact]
    public void Read_RejectedAgain_CountsEach()
    {
        var drive = TestCertificates.SelfSigned(new TestRecipe { Subject = "CN=drive" });
        _pki.Put("trusted/certs", drive);
        _inventory.Reject(ThumbprintOf(drive), "an operator", out _);
        _validators.Clients.Validate(drive, null, null, "10.0.0.2");
        _validators.Clients.Validate(drive, null, null, "10.0.0.3");

        var last = Assert.Single(All()).Rejection!.Last;

        Assert.Equal((3, "10.0.0.3", "an operator"), (last.Count, last.Address, last.Reason));
    }

    /// <summary>From before the start: the reason is that of a check now.</summary>
    [Fact]
    public void Read_RejectedBeforeTheStart_SaysWhyItWouldBeNow()
    {
        _pki.Put("rejected/certs", TestCertificates.SelfSigned(new TestRecipe { Subject = "CN=old" }));

        var entry = Assert.Single(All());

        Assert.Null(entry.Rejection);
        Assert.StartsWith("Untrusted", entry.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void Trust_Rejected_AcceptedAtOnceAndTheFileHasMoved()
    {
        var drive = TestCertificates.SelfSigned(new TestRecipe { Subject = "CN=drive" });
        var file = _pki.Put("rejected/certs", drive);
        var announced = 0;
        _pki.Store.TrustListChanged += () => announced++;

        var result = _inventory.Trust(ThumbprintOf(drive), null, out var entry);

        Assert.Equal((CertificateMove.Done, CertificateStore.Trusted), (result, entry!.Store));
        Assert.False(File.Exists(file));
        Assert.True(_validators.Clients.Validate(drive, null, null).IsAccepted);
        Assert.Equal(1, announced);
    }

    [Fact]
    public void Trust_AsUser_LetsNoApplicationIn()
    {
        var anna = TestCertificates.SelfSigned(new TestRecipe { Subject = "CN=anna" });
        _pki.Put("rejected/certs", anna);

        _inventory.Trust(ThumbprintOf(anna), asUser: true, out var entry);

        Assert.Equal(CertificateStore.TrustedUser, entry!.Store);
        Assert.False(_validators.Clients.Validate(anna, null, null).IsAccepted);
    }

    /// <summary>A copy elsewhere would keep what the operator takes away.</summary>
    [Fact]
    public void Reject_TrustedTwice_AllCopiesGo()
    {
        var drive = TestCertificates.SelfSigned(new TestRecipe { Subject = "CN=drive" });
        _pki.Put("trusted/certs", drive, "one.der");
        _pki.Put("trusted/certs", drive, "two.der");
        _pki.Store.LookNow();
        Assert.True(_validators.Clients.Validate(drive, null, null).IsAccepted);

        var result = _inventory.Reject(ThumbprintOf(drive), "an operator", out var entry);

        Assert.Equal((CertificateMove.Done, CertificateStore.Rejected), (result, entry!.Store));
        Assert.Equal("an operator", entry.Reason);
        Assert.False(_validators.Clients.Validate(drive, null, null).IsAccepted);
        Assert.Single(All());
    }

    [Fact]
    public void Delete_Trusted_Gone()
    {
        var drive = TestCertificates.SelfSigned(new TestRecipe { Subject = "CN=drive" });
        _pki.Put("trusted/certs", drive);

        Assert.Equal(CertificateMove.Done, _inventory.Delete(ThumbprintOf(drive), out var was));
        Assert.Equal(CertificateStore.Trusted, was!.Store);
        Assert.Empty(All());
        Assert.Equal(CertificateMove.Missing, _inventory.Delete(ThumbprintOf(drive), out _));
    }

    [Fact]
    public void Change_OfItsOwnOrOfABundle_IsRefused()
    {
        var own = TestCertificates.SelfSigned(new TestRecipe { Subject = "CN=own" });
        Directory.CreateDirectory(Path.Combine(_pki.Folder, "own", "certs"));
        _pki.Put("own/certs", own);
        var (one, two) = (
            TestCertificates.SelfSigned(new TestRecipe { Subject = "CN=one" }),
            TestCertificates.SelfSigned(new TestRecipe { Subject = "CN=two" }));
        _pki.Put("trusted/certs", [.. Pem(one), .. Pem(two)], "both.pem");

        Assert.Equal(CertificateMove.IsOwn, _inventory.Reject(ThumbprintOf(own), "", out _));
        Assert.Equal(CertificateMove.IsOwn, _inventory.Delete(ThumbprintOf(own), out _));
        Assert.Equal(CertificateMove.InBundle, _inventory.Reject(ThumbprintOf(two), "", out _));
        Assert.Equal(3, All().Count);
    }

    [Fact]
    public void Read_PageByPageWhileFilesComeAndGo_EachThatStaysOnce()
    {
        var stable = new List<string>();
        var others = new List<string>();
        for (var i = 0; i < 12; i++)
        {
            var certificate = TestCertificates.SelfSigned(new TestRecipe { Subject = "CN=c" + i });
            var file = _pki.Put(i % 2 == 0 ? "trusted/certs" : "issuer/certs", certificate);
            if (i % 3 == 0)
                others.Add(file);
            else
                stable.Add(ThumbprintOf(certificate));
        }

        var seen = new List<CertificateEntry>();
        for (var behind = ""; behind is not null;)
        {
            behind = _inventory.Read(null, behind, 2, seen);
            if (others.Count > 0)
            {
                File.Delete(others[0]);
                others.RemoveAt(0);
            }

            _pki.Put("trusted/certs", TestCertificates.SelfSigned(new TestRecipe { Subject = "CN=new" }));
            if (seen.Count > 100)
                break;
        }

        var found = seen.ConvertAll(one => one.Thumbprint);
        Assert.Equal(found.Count, found.Distinct().Count());
        Assert.Empty(stable.Except(found));
    }

    private static string ThumbprintOf(byte[] certificate) => CertificateFacts.TryParse(certificate)!.Thumbprint;

    private static byte[] Pem(byte[] certificate) => System.Text.Encoding.ASCII.GetBytes(
        System.Security.Cryptography.PemEncoding.WriteString("CERTIFICATE", certificate) + "\n");

    private List<CertificateEntry> All()
    {
        var all = new List<CertificateEntry>();
        Assert.Null(_inventory.Read(null, "", 1_000, all));
        return all;
    }
}
