using Microsoft.IdentityModel.Tokens;

namespace Gateway.Host.Tokens;

/// <summary>The keys that tokens are checked with, at one time. Immutable.</summary>
/// <param name="keys">Public ones, and those of an HMAC where somebody put them there on purpose.</param>
/// <param name="unusable">The faults of those that were left out; no key is named.</param>
internal sealed class TokenKeySet(IReadOnlyList<TokenKey> keys, IReadOnlyList<string> unusable)
{
    public static TokenKeySet Empty { get; } = new([], []);

    public int Count => keys.Count;

    /// <summary>The faults of keys that were left out.</summary>
    public IReadOnlyList<string> Unusable => unusable;

    /// <summary>Of any of its keys.</summary>
    public bool HasAlgorithm(string algorithm) => keys.Any(key => key.Algorithms.Contains(algorithm));

    /// <summary>Whether a key may have made the signature: with an id that one, or one that has none itself.</summary>
    public bool Has(string? id, string algorithm) => Of(id, algorithm).Any();

    public IEnumerable<SecurityKey> Find(string? id, string algorithm) => Of(id, algorithm).Select(key => key.Key);

    /// <summary>A key is used for the algorithms of its own kind alone: a public key is no secret of an HMAC.</summary>
    private IEnumerable<TokenKey> Of(string? id, string algorithm) => keys.Where(key =>
        key.Algorithms.Contains(algorithm) &&
        (string.IsNullOrEmpty(id) || string.IsNullOrEmpty(key.Id) || key.Id == id));
}
