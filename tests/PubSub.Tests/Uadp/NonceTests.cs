using Gateway.PubSub.Uadp.Security;
using Gateway.Testing;

namespace Gateway.PubSub.Tests.Uadp;

/// <summary>A nonce that is used twice with a key gives the plant's values away.</summary>
public sealed class NonceTests : IDisposable
{
    private static readonly SecurityKey Key =
        new(PubSubSecurityPolicy.Aes128Ctr, 1, new byte[PubSubSecurityPolicy.Aes128Ctr.KeyDataBytes]);

    private readonly string _folder = Directory.CreateTempSubdirectory("nonces-").FullName;

    private string File => Path.Combine(_folder, "below", "nonces.json");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void NonceFile_AnotherStart_GoesOn()
    {
        Assert.Equal(1u, new NonceFile(File).Reserve("a", 100));

        var next = new NonceFile(File);

        Assert.Equal((101u, 201u, 1u), (next.Reserve("a", 100), next.Reserve("a", 100), next.Reserve("b", 100)));
        Assert.Equal(["nonces.json"], Directory.GetFiles(Path.GetDirectoryName(File)!).Select(Path.GetFileName));
    }

    [Fact]
    public void NonceFile_NoNumberLeft_GivesNone()
    {
        Directory.CreateDirectory(Path.GetDirectoryName(File)!);
        System.IO.File.WriteAllText(File, $$"""{"a":{{uint.MaxValue - 100}}}""");

        var file = new NonceFile(File);

        Assert.Equal(uint.MaxValue - 100, file.Reserve("a", 100));
        Assert.Equal(0u, file.Reserve("a", 100));
        Assert.Equal(0u, new NonceFile(File).Reserve("a", 100));
    }

    /// <summary>To begin anew would use nonces again.</summary>
    [Fact]
    public void NonceFile_NotReadable_IsAnErrorAndStays()
    {
        Directory.CreateDirectory(Path.GetDirectoryName(File)!);
        System.IO.File.WriteAllText(File, "{ torn");

        Assert.Throws<IOException>(() => new NonceFile(File).Reserve("a", 1));
        Assert.Equal("{ torn", System.IO.File.ReadAllText(File));
    }

    /// <summary>A subscriber ignores numbers that are not newer.</summary>
    [Fact]
    public void TryNext_AnotherProcess_NumbersGoOn()
    {
        var file = new NonceFile(File);
        Assert.True(new UadpNonces(file, TimeProvider.System).TryNext(Key, out var first));
        Assert.True(new UadpNonces(file, TimeProvider.System).TryNext(Key, out var later));

        Assert.Equal((1u, 1 + UadpNonces.BlockSize), ((uint)(first >> 32), (uint)(later >> 32)));
    }

    [Fact]
    public void TryNext_MoreThanABlock_NumbersRiseByOne()
    {
        var nonces = new UadpNonces(new NonceRegister(), TimeProvider.System);
        for (var i = 1u; i <= UadpNonces.BlockSize + 10; i++)
        {
            Assert.True(nonces.TryNext(Key, out var nonce));
            Assert.Equal(i, (uint)(nonce >> 32));
        }
    }

    [Fact]
    public void TryNext_RegisterFails_NothingIsSealedUntilItWorks()
    {
        var register = new NonceRegister { Failure = "disk full" };
        var time = new ManualTimeProvider();
        var nonces = new UadpNonces(register, time);

        Assert.False(nonces.TryNext(Key, out _));
        Assert.Contains("disk full", nonces.HindranceOf(Key), StringComparison.Ordinal);
        register.Failure = null;
        Assert.False(nonces.TryNext(Key, out _));
        time.Advance(TimeSpan.FromSeconds(1));

        Assert.True(nonces.TryNext(Key, out _));
        Assert.Null(nonces.HindranceOf(Key));
    }
}
