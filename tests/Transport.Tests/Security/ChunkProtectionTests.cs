using Gateway.Testing;
using Gateway.Transport.Conversation;
using Gateway.Transport.Security;
using Gateway.Transport.Tests.Support;

namespace Gateway.Transport.Tests.Security;

public sealed class ChunkProtectionTests
{
    public static TheoryData<string, bool> Kinds => new()
    {
        { "Basic256Sha256", false },
        { "Basic256Sha256", true },
        { "Aes128_Sha256_RsaOaep", true },
        { "Aes256_Sha256_RsaPss", true },
    };

    [Theory]
    [MemberData(nameof(Kinds))]
    public void SealAndOpen_EverySizeUpTo100_BodyComesBack(string name, bool encrypted)
    {
        var (seal, open) = Pair(name, encrypted, bcl: false);
        for (var size = 0; size <= 100; size++)
        {
            var body = Enumerable.Range(0, size).Select(i => (byte)i).ToArray();
            var chunk = Wire.Message(seal, 1, 2, 3, 4, body);
            Assert.True(open.TryUnseal(chunk, out var end));
            Assert.Equal(body, chunk[24..end]);
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Seal_ByLibcryptoAndByTheBaseClassLibrary_SameBytes(string name, bool encrypted)
    {
        Assert.True(Libcrypto.IsAvailable || !OperatingSystem.IsLinux());
        var (fast, fastOpen) = Pair(name, encrypted, bcl: false);
        var (slow, slowOpen) = Pair(name, encrypted, bcl: true);
        foreach (var size in new[] { 0, 1, 15, 16, 100, 192, 8192, 65000 })
        {
            var body = new byte[size];
            new Random(size).NextBytes(body);
            var one = Wire.Message(fast, 1, 2, 3, 4, body);
            var other = Wire.Message(slow, 1, 2, 3, 4, body);
            Assert.Equal(other, one);
            Assert.True(fastOpen.TryUnseal(other, out _));
            Assert.True(slowOpen.TryUnseal(one, out _));
            Assert.Equal(one, other);
        }
    }

    [Fact]
    public void NotNull_NoContextMade_TypedFailure()
    {
        Assert.Equal(7, Libcrypto.NotNull(7));
        Assert.Throws<System.Security.Cryptography.CryptographicException>(() => Libcrypto.NotNull(0));
    }

    [Fact]
    public void Dispose_TwiceAndThenUsed_ObjectDisposed()
    {
        var (seal, _) = Pair("Basic256Sha256", encrypted: true, bcl: false);
        seal.Dispose();
        seal.Dispose();

        Assert.Throws<ObjectDisposedException>(() => Wire.Message(seal, 1, 2, 3, 4, "hello"u8));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void TryOpen_AnyBitFlipped_False(string name, bool encrypted)
    {
        var (seal, open) = Pair(name, encrypted, bcl: false);
        var good = Wire.Message(seal, 1, 2, 3, 4, "hello"u8);
        for (var bit = 0; bit < good.Length * 8; bit++)
        {
            var bad = good.ToArray();
            bad[bit / 8] ^= (byte)(1 << (bit % 8));
            Assert.False(open.TryUnseal(bad, out _));
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void TryOpen_CutAnywhere_False(string name, bool encrypted)
    {
        var (seal, open) = Pair(name, encrypted, bcl: false);
        var good = Wire.Message(seal, 1, 2, 3, 4, "hello"u8);
        for (var length = 0; length < good.Length; length++)
            Assert.False(open.TryUnseal(good.AsSpan(0, length).ToArray(), out _));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void MaxBodyBytes_FilledBody_ChunkJustFits(string name, bool encrypted)
    {
        var (seal, _) = Pair(name, encrypted, bcl: false);
        for (var chunkSize = 8192; chunkSize < 8192 + 40; chunkSize++)
        {
            var most = seal.MaxBodyBytes(chunkSize);
            Assert.True(Wire.Message(seal, 1, 2, 3, 4, new byte[most]).Length <= chunkSize);
            Assert.True(Wire.Message(seal, 1, 2, 3, 4, new byte[most + 1]).Length > chunkSize);
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void SealAndOpen_InSteadyState_AllocateNothing(string name, bool encrypted)
    {
        var (seal, open) = Pair(name, encrypted, bcl: false);
        var chunk = new byte[400];
        FrameWriter.WriteHeader(chunk, MessageKind.Message, ChunkType.Final, 0);

        Assert.Equal(0, Allocations.OfThousand(Once));

        void Once()
        {
            var size = seal.Seal(chunk, 216);
            if (!open.TryUnseal(chunk.AsSpan(0, size), out _))
                throw new InvalidOperationException();
        }
    }

    private static (ChunkProtection Seal, ChunkProtection Open) Pair(string name, bool encrypted, bool bcl)
    {
        SecurityPolicies.TryGetByName(name, out var policy);
        using var keys = KeyDerivation.DeriveSenderKeys(
            policy!, Enumerable.Repeat((byte)1, 32).ToArray(), Enumerable.Repeat((byte)2, 32).ToArray());
        return (new CbcHmacProtection(Primitives(keys, encrypted ? true : null, bcl), encrypted),
            new CbcHmacProtection(Primitives(keys, encrypted ? false : null, bcl), encrypted));
    }

    private static SymmetricPrimitives Primitives(DerivedKeys keys, bool? encrypt, bool bcl) =>
        bcl ? new BclPrimitives(keys, encrypt) : SymmetricPrimitives.Create(keys, encrypt);
}
