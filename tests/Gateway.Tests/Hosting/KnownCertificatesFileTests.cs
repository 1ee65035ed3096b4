using Gateway.Admission.Clients;
using Gateway.Host.Hosting;
using Gateway.Testing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Tests.Hosting;

public sealed class KnownCertificatesFileTests : IDisposable
{
    private const string Thumbprint = "0123456789ABCDEF0123456789ABCDEF01234567";

    private static readonly DateOnly Day = new(2026, 1, 2);

    private readonly ManualTimeProvider _time = new();
    private readonly string _folder = Directory.CreateTempSubdirectory("known").FullName;

    private string Saved => Path.Combine(_folder, "known-certificates.txt");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Dispose_Changed_KnownAfterTheRestart()
    {
        var known = new KnownCertificates(10);
        var file = Start(known);
        known.MarkActive(Thumbprint, Day);
        await file.DisposeAsync();
        Assert.Equal(Thumbprint + " 2026-01-02", (await File.ReadAllTextAsync(Saved)).Trim());

        var again = new KnownCertificates(10);
        await using var next = Start(again);
        Assert.True(again.IsKnown(Thumbprint));
        Assert.Equal(1, again.Count);
    }

    [Fact]
    public async Task Save_NothingChanged_FileUntouched()
    {
        var known = new KnownCertificates(10);
        await using var file = Start(known);
        await file.SaveAsync();
        Assert.False(File.Exists(Saved));
        known.MarkActive(Thumbprint, Day);
        await file.SaveAsync();
        File.Delete(Saved);
        known.MarkActive(Thumbprint, Day);
        await file.SaveAsync();
        Assert.Empty(Directory.GetFiles(_folder));
    }

    [Fact]
    public async Task Start_DamagedFile_GoodLinesTaken()
    {
        await File.WriteAllTextAsync(
            Saved, $"\0\u0001 rubbish\n{Thumbprint} 2026-01-02\n{new string('x', 100_000)}\nABC 2026-13-45\n");
        var known = new KnownCertificates(10);
        await using var file = Start(known);
        Assert.True(known.IsKnown(Thumbprint));
        Assert.Equal(1, known.Count);
    }

    [Fact]
    public async Task Save_FolderGoneForAWhile_SavedLater()
    {
        var known = new KnownCertificates(10);
        var folder = Path.Combine(_folder, "pki");
        await using var file = Start(known, folder);
        await File.WriteAllTextAsync(folder, "in the way");
        known.MarkActive(Thumbprint, Day);
        await file.SaveAsync();
        File.Delete(folder);
        await file.SaveAsync();
        Assert.True(File.Exists(Path.Combine(folder, "known-certificates.txt")));
    }

    /// <summary>The process was killed while it wrote: the file before is whole, and the next write is.</summary>
    [Fact]
    public async Task Save_HalfOfAFileFromBefore_Replaced()
    {
        await File.WriteAllTextAsync(Saved, $"{Thumbprint} 2026-01-01\n");
        await File.WriteAllTextAsync(Saved + ".new", new string('x', 10_000));
        var known = new KnownCertificates(10);
        await using var file = Start(known);
        Assert.True(known.IsKnown(Thumbprint));
        known.MarkActive(Thumbprint, Day);

        await file.SaveAsync();

        Assert.Equal([Saved], Directory.GetFiles(_folder));
        Assert.Equal(Thumbprint + " 2026-01-02", (await File.ReadAllTextAsync(Saved)).Trim());
    }

    [Fact]
    public async Task Timer_Changed_SavedOnceAMinute()
    {
        var known = new KnownCertificates(10);
        await using var file = Start(known);
        known.MarkActive(Thumbprint, Day);
        _time.Advance(TimeSpan.FromSeconds(59));
        Assert.True(known.IsChanged);
        _time.Advance(TimeSpan.FromSeconds(2));
        await file.SaveAsync();
        Assert.False(known.IsChanged);
        Assert.True(File.Exists(Saved));
    }

    private KnownCertificatesFile Start(KnownCertificates known, string? folder = null)
    {
        var file = new KnownCertificatesFile(
            folder ?? _folder, known, _time, NullLogger<KnownCertificatesFile>.Instance);
        file.Start();
        return file;
    }
}
