using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Gateway.Transport.Security;

/// <summary>Public keys of certificates seen lately, ready for use: making one costs OpenSSL 3 half as much as a
/// private-key operation. Two generations of at most <see cref="GenerationSize"/>: what was used since the last turn
/// survives it. Keys are shared and never disposed here; a dropped one goes with its last user. Any thread.</summary>
internal static class PublicKeyCache
{
    /// <summary>About 3 KB each, native memory included: 6 MB for both generations.</summary>
    private const int GenerationSize = 1024;

    private static readonly Lock Lock = new();
    private static Dictionary<Digest, RSA> _young = [];
    private static Dictionary<Digest, RSA> _old = [];

    /// <summary>False where it is no certificate with an RSA key. Not to be disposed by the caller.</summary>
    public static bool TryGet(ReadOnlySpan<byte> certificate, [NotNullWhen(true)] out RSA? key)
    {
        Digest digest = default;
        SHA256.HashData(certificate, MemoryMarshal.AsBytes(new Span<Digest>(ref digest)));
        lock (Lock)
        {
            if (_young.TryGetValue(digest, out key))
                return true;
            if (_old.TryGetValue(digest, out key))
            {
                AddUnderLock(digest, key);
                return true;
            }
        }

        if (!AsymmetricCryptography.TryGetPublicKey(certificate.ToArray(), out key))
            return false;
        lock (Lock)
            AddUnderLock(digest, key);
        return true;
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
