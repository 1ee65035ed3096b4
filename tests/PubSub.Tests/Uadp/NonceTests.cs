using Gateway.PubSub.Uadp.Security;
using Gateway.Testing;

namespace Gateway.PubSub.Tests.Uadp;

/// <summary>A nonce that is used twice with a key gives the plant's values away (R17).</summary>
public sealed class NonceTests : IDisposable
{
    private static readonly SecurityKey Key =
        new(PubSubSecurityPolicy.Aes128Ctr, 1, new byte[PubSubSecurityPolicy.Aes128Ctr.KeyDataBytes]);

    private readonly string _folder = Directory.CreateTempSubdirectory("nonces-").FullName;

    private string File => Path.Combine(_folder, "below", "nonces.json");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void NonceFile_AnotherStart_RemembersWhatTheKeyHasHad()
    {
        Assert.True(new NonceFile(File).TryReserve("a", 17));

        var next = new NonceFile(File);

        Assert.False(next.TryReserve("a", 17));
        Assert.True(next.TryReserve("a", 18));
        Assert.True(next.TryReserve("b", 17));
        Assert.Equal(["nonces.json"], Directory.GetFiles(Path.GetDirectoryName(File)!).Select(Path.GetFileName));
    }

    [Fact]
    public void NonceFile_ManyStarts_ForgetsTheOldestOnly()
    {
        Directory.CreateDirectory(Path.GetDirectoryName(File)!);
        System.IO.File.WriteAllText(File, $$"""{"a":[{{string.Join(',', Enumerable.Range(0, 4096))}}]}""");

        Assert.True(new NonceFile(File).TryReserve("a", 5000));

        var next = new NonceFile(File);
        Assert.False(next.TryReserve("a", 1));
        Assert.False(next.TryReserve("a", 5000));
        Assert.True(next.TryReserve("a", 0));
    }

    /// <summary>To begin anew would use nonces again.</summary>
    [Fact]
    public void NonceFile_NotReadable_IsAnErrorAndStays()
    {
        Directory.CreateDirectory(Path.GetDirectoryName(File)!);
        System.IO.File.WriteAllText(File, "{ torn");

        Assert.Throws<IOException>(() => new NonceFile(File).TryReserve("a", 1));
        Assert.Equal("{ torn", System.IO.File.ReadAllText(File));
    }

    [Fact]
    public void TryNext_RandomPartThatAnEarlierStartHad_IsDrawnAgain()
    {
        var register = new NonceRegister { Taken = 2 };
        var nonces = new UadpNonces(register, TimeProvider.System);

        Assert.True(nonces.TryNext(Key, out var nonce));
        Assert.True(nonces.TryNext(Key, out var second));

        Assert.Equal(3, register.Asked.Count);
        Assert.Equal((register.Asked[2], 1u), ((uint)nonce, (uint)(nonce >> 32)));
        Assert.Equal((register.Asked[2], 2u), ((uint)second, (uint)(second >> 32)));
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
