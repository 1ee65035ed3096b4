using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Gateway.Transport.Security;

/// <summary>Public keys of certificates whose peers have shown lately that they hold the private key (R47), ready for
/// use: making one costs OpenSSL 3 half as much as a private-key operation. Two generations of at most
/// <see cref="MaxGenerationBytes"/>: keys that were used since the last turn survive it. Cached keys are shared and
/// never disposed here; a dropped one goes with its last user. Any thread.</summary>
internal static class PublicKeyCache
{
    /// <summary>About 1,300 keys of 2,048 bits.</summary>
    internal const int MaxGenerationBytes = 4 * 1024 * 1024;

    /// <summary>Of a key beside its numbers, native memory included.</summary>
    private const int FixedKeyBytes = 2048;

    private static readonly Lock Lock = new();
    private static Dictionary<Digest, RSA> _young = [];
    private static Dictionary<Digest, RSA> _old = [];
    private static int _youngBytes;

    /// <summary>Of both generations.</summary>
    public static int Count
    {
        get
        {
            lock (Lock)
                return _young.Count + _old.Count;
        }
    }

    /// <summary>Of the generation that is being filled.</summary>
    internal static int YoungBytes
    {
        get
        {
            lock (Lock)
                return _youngBytes;
        }
    }

    /// <summary>False where it is no certificate with an RSA key. The lease is the caller's to dispose.</summary>
    public static bool TryGet(ReadOnlySpan<byte> certificate, [NotNullWhen(true)] out PublicKeyLease? lease)
    {
        var digest = DigestOf(certificate);
        lease = Find(digest) is { } known ? new PublicKeyLease(known, null)
            : AsymmetricCryptography.TryGetPublicKey(certificate.ToArray(), out var made)
                ? new PublicKeyLease(made, () => Add(digest, made))
                : null;
        return lease is not null;
    }

    public static bool IsKnown(ReadOnlySpan<byte> certificate) => Find(DigestOf(certificate)) is not null;

    private static Digest DigestOf(ReadOnlySpan<byte> certificate)
    {
        Digest digest = default;
        SHA256.HashData(certificate, MemoryMarshal.AsBytes(new Span<Digest>(ref digest)));
        return digest;
    }

    private static RSA? Find(Digest digest)
    {
        lock (Lock)
        {
            if (_young.TryGetValue(digest, out var key))
                return key;
            if (_old.TryGetValue(digest, out key))
                AddUnderLock(digest, key);
            return key;
        }
    }

    private static void Add(Digest digest, RSA key)
    {
        lock (Lock)
            AddUnderLock(digest, key);
    }

    private static void AddUnderLock(Digest digest, RSA key)
    {
        var bytes = BytesOf(key);
        if (_youngBytes + bytes > MaxGenerationBytes)
            (_old, _young, _youngBytes) = (_young, [], 0);
        if (_young.TryAdd(digest, key))
            _youngBytes += bytes;
        else
            _young[digest] = key;
    }

    /// <summary>3 KB for a key of 2,048 bits, 4 KB for one of 4,096, as measured: the modulus and what is precomputed
    /// of it.</summary>
    internal static int BytesOf(RSA key) => FixedKeyBytes + (key.KeySize / 2);

    [StructLayout(LayoutKind.Sequential)]
    private readonly record struct Digest(ulong A, ulong B, ulong C, ulong D);
}
