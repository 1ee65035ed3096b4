namespace Gateway.PubSub.Uadp.Security;

/// <summary>The past, current and future keys of a SecurityGroup, in the order of their use. Immutable; a change makes
/// a new one. Source: Part 14 §8.3.2.</summary>
public sealed class SecurityKeySet
{
    /// <summary>A reader holds a cipher for each.</summary>
    public const int MaxKeys = 64;

    private readonly SecurityKey[] _keys;

    /// <param name="policy">Of all keys.</param>
    /// <param name="keys">At least one; no token id twice; later ones are valid later.</param>
    public SecurityKeySet(PubSubSecurityPolicy policy, IEnumerable<SecurityKey> keys)
    {
        Policy = policy;
        _keys = [.. keys];
        ArgumentOutOfRangeException.ThrowIfZero(_keys.Length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(_keys.Length, MaxKeys);
        if (_keys.DistinctBy(key => key.TokenId).Count() != _keys.Length)
            throw new ArgumentException("A token id is there twice.", nameof(keys));
    }

    public PubSubSecurityPolicy Policy { get; }

    public IReadOnlyList<SecurityKey> Keys => _keys;

    /// <summary>The last that is valid already; null: none is yet.</summary>
    public SecurityKey? CurrentAt(DateTime utcNow)
    {
        for (var i = _keys.Length - 1; i >= 0; i--)
        {
            if (_keys[i].ValidFrom <= utcNow)
                return _keys[i];
        }

        return null;
    }

    /// <summary>Of the key with this fingerprint, in the order of their use; −1: it is not here any more.</summary>
    internal int PlaceOf(string fingerprint) => Array.FindIndex(_keys, key => key.Fingerprint == fingerprint);

    public SecurityKey? Find(uint tokenId)
    {
        foreach (var key in _keys)
        {
            if (key.TokenId == tokenId)
                return key;
        }

        return null;
    }
}
