using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Gateway.Transport.Security;

/// <summary>Public keys of certificates whose peers have shown lately that they hold the private key (R47), ready for
/// use: making one costs OpenSSL 3 half as much as a private-key operation. Two generations of at most
/// <see cref="GenerationSize"/>: what was used since the last turn survives it. Cached keys are shared and never
/// disposed here; a dropped one goes with its last user. Any thread.</summary>
internal static class PublicKeyCache
{
    /// <summary>About 3 KB each, native memory included, 4 KB for the longest: at most 8 MB for both
    /// generations.</summary>
    private const int GenerationSize = 1024;

    private static readonly Lock Lock = new();
    private static Dictionary<Digest, RSA> _young = [];
    private static Dictionary<Digest, RSA> _old = [];

    /// <summary>Of both generations.</summary>
    public static int Count
    {
        get
        {
            lock (Lock)
                return _young.Count + _old.Count;
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
        if (_young.Count >= GenerationSize)
            (_old, _young) = (_young, []);
        _young[digest] = key;
    }

    [StructLayout(LayoutKind.Sequential)]
    private readonly record struct Digest(ulong A, ulong B, ulong C, ulong D);
}
