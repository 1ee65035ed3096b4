using Gateway.Transport.Certificates;
using Gateway.Transport.Tests.Conversation;

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

    /// <summary>The one that the operator looks for stays, though it is the oldest.</summary>
    [Fact]
    public async Task Add_FloodOfOneAddress_PushesOutItsOwn()
    {
        await using var pki = new TestPki(maxRejected: 5);
        var validator = pki.Validator();
        Refuse(validator, "drive", "10.0.0.7");
        for (var i = 0; i < 40; i++)
        {
            Refuse(validator, $"flood{i}", "10.0.0.66");
            pki.Time.Advance(TimeSpan.FromSeconds(1));
        }
        await pki.FinishWritingAsync();

        var names = Directory.GetFiles(pki.RejectedFolder).Select(file => Path.GetFileName(file)).ToArray();
        Assert.Equal(5, names.Length);
        Assert.Contains(names, name => name.StartsWith("drive[", StringComparison.Ordinal));
        Assert.Contains(names, name => name.StartsWith("flood39[", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Add_FilesFromBeforeTheStart_AreNotOneAddress()
    {
        await using var pki = new TestPki(maxRejected: 200);
        for (var i = 0; i < 4; i++)
            File.WriteAllBytes(Path.Combine(pki.RejectedFolder, $"old{i}.der"), [1]);
        await using var store = new PkiStore(pki.Folder, pki.Time, pki.Loggers, 5);
        var validator = new CertificateValidator(store, new());
        for (var i = 0; i < 10; i++)
        {
            Refuse(validator, $"flood{i}", "10.0.0.66");
            pki.Time.Advance(TimeSpan.FromSeconds(1));
        }
        await store.DisposeAsync();

        var names = Directory.GetFiles(pki.RejectedFolder).Select(file => Path.GetFileName(file)).ToArray();
        Assert.Equal(5, names.Length);
        Assert.Equal(3, names.Count(name => name.StartsWith("old", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task Add_FloodOfOneAddressInASecond_LeavesRoomForAnother()
    {
        await using var pki = new TestPki();
        var validator = pki.Validator();
        for (var i = 0; i < 50; i++)
            Refuse(validator, $"flood{i}", "10.0.0.66");
        Refuse(validator, "drive", "10.0.0.7");
        await pki.FinishWritingAsync();

        var names = Directory.GetFiles(pki.RejectedFolder).Select(file => Path.GetFileName(file)).ToArray();
        Assert.Equal(11, names.Length);
        Assert.Contains(names, name => name.StartsWith("drive[", StringComparison.Ordinal));
    }

    /// <summary>A full disk keeps names without content; a directory in the way stands for it here.</summary>
    [Fact]
    public async Task Add_CannotBeWritten_LeavesNothingBehind()
    {
        await using var pki = new TestPki();
        var leaf = LeafFacts.Of(CertificateFacts.TryParse(TestCertificates.SelfSigned(new TestRecipe()))!);
        var inTheWay = Path.Combine(pki.RejectedFolder, RejectedCertificates.FileNameOf(leaf));
        Directory.CreateDirectory(Path.Combine(inTheWay, "content"));

        pki.Validator().Validate(leaf.Der, null, null);
        await pki.FinishWritingAsync();

        Assert.Equal([inTheWay], Directory.GetFileSystemEntries(pki.RejectedFolder));
    }

    /// <summary>The process was killed while it wrote.</summary>
    [Fact]
    public async Task Start_HalfWrittenFile_Removed()
    {
        await using var pki = new TestPki();
        var half = Path.Combine(pki.RejectedFolder, "x[00].der.tmp");
        File.WriteAllBytes(half, [1]);

        await using var store = new PkiStore(pki.Folder, pki.Time, pki.Loggers, 5);

        Assert.False(File.Exists(half));
    }

    /// <summary>A folder that may only be read for a while: the files in it still count.</summary>
    [Fact]
    public async Task Add_OldestCannotBeDeletedForAWhile_BoundHoldsThereafter()
    {
        await using var pki = new TestPki();
        var oldest = Path.Combine(pki.RejectedFolder, "old.der");
        File.WriteAllBytes(oldest, [1]);
        await using var store = new PkiStore(pki.Folder, pki.Time, pki.Loggers, 1);
        var validator = new CertificateValidator(store, new());
        File.Delete(oldest);
        Directory.CreateDirectory(oldest);
        Refuse(validator, "first", "10.0.0.7");
        await RenewalTests.UntilAsync(
            () => pki.Logs.Lines.Any(line => line.Text.Contains("could not be kept", StringComparison.Ordinal)));
        Directory.Delete(oldest);
        File.WriteAllBytes(oldest, [1]);

        Refuse(validator, "second", "10.0.0.7");
        await store.DisposeAsync();

        Assert.StartsWith(
            "second[", Path.GetFileName(Assert.Single(Directory.GetFiles(pki.RejectedFolder))), StringComparison.Ordinal);
    }

    private static void Refuse(CertificateValidator validator, string name, string address) => Assert.False(
        validator.Validate(
            TestCertificates.SelfSigned(new TestRecipe { Subject = "CN=" + name }), null, null, address).IsAccepted);

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
