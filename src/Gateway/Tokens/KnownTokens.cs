using System.Security.Cryptography;
using Gateway.Operations.Access;

namespace Gateway.Host.Tokens;

/// <summary>Tokens that were right, by their hash: a client sends the same one with each request. Forgotten when the
/// keys change, and the older half when there are too many. Nothing is kept before its signature was checked (R47).
/// Threads: any; its lock is a leaf.</summary>
internal sealed class KnownTokens(int limit)
{
    private readonly Lock _lock = new();
    private Dictionary<Hash, UserIdentity> _young = [];
    private Dictionary<Hash, UserIdentity> _old = [];
    private TokenKeySet _keys = TokenKeySet.Empty;

    public int Count
    {
        get
        {
            lock (_lock)
                return _young.Count + _old.Count;
        }
    }

    /// <summary>Null: it has to be checked.</summary>
    public UserIdentity? Find(ReadOnlySpan<byte> token, TokenKeySet keys)
    {
        var hash = Hash.Of(token);
        lock (_lock)
        {
            if (!ReferenceEquals(_keys, keys))
                return null;
            return _young.GetValueOrDefault(hash) ?? _old.GetValueOrDefault(hash);
        }
    }

    /// <param name="token">That was right.</param>
    /// <param name="keys">By which.</param>
    /// <param name="user">The user of the token.</param>
    public void Add(ReadOnlySpan<byte> token, TokenKeySet keys, UserIdentity user)
    {
        var hash = Hash.Of(token);
        lock (_lock)
        {
            if (!ReferenceEquals(_keys, keys))
                (_young, _old, _keys) = ([], [], keys);
            if (_young.Count >= limit)
                (_old, _young) = (_young, []);
            _young[hash] = user;
        }
    }

    private readonly record struct Hash(UInt128 Low, UInt128 High)
    {
        public static Hash Of(ReadOnlySpan<byte> token)
        {
            Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
            SHA256.HashData(token, hash);
            return new Hash(
                System.Buffers.Binary.BinaryPrimitives.ReadUInt128LittleEndian(hash),
                System.Buffers.Binary.BinaryPrimitives.ReadUInt128LittleEndian(hash[16..]));
        }
    }
}
