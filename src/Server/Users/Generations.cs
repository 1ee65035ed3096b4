using System.Diagnostics.CodeAnalysis;

namespace Gateway.Server.Users;

/// <summary>A table that drops entries that were not set for long: at most twice <paramref name="limit"/> entries, in a
/// young and an old generation. Guarded by its owner's lock.</summary>
internal sealed class Generations<TKey, TValue>(int limit)
    where TKey : notnull
{
    private Dictionary<TKey, TValue> _young = [];
    private Dictionary<TKey, TValue> _old = [];

    public int Count => _young.Count + _old.Count;

    public bool TryGet(TKey key, [MaybeNullWhen(false)] out TValue value) =>
        _young.TryGetValue(key, out value) || _old.TryGetValue(key, out value);

    public void Set(TKey key, TValue value)
    {
        if (_young.Count >= limit && !_young.ContainsKey(key))
            (_old, _young) = (_young, []);
        _young[key] = value;
    }

    public void Remove(TKey key)
    {
        _young.Remove(key);
        _old.Remove(key);
    }
}
