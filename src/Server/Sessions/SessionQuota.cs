namespace Gateway.Server.Sessions;

/// <summary>Counts sessions by a key (an address, a certificate, a user). Bounded by the number of sessions: a key at
/// zero is removed. Guarded by its owner's lock.</summary>
internal sealed class SessionQuota
{
    private readonly Dictionary<string, int> _counts = new(StringComparer.Ordinal);

    public int Keys => _counts.Count;

    public int this[string key] => _counts.GetValueOrDefault(key);

    /// <param name="key">The holder.</param>
    /// <param name="limit">Sessions of one key.</param>
    public bool IsFull(string key, int limit) => this[key] >= limit;

    public void Add(string key) => _counts[key] = this[key] + 1;

    public void Remove(string key)
    {
        if (!_counts.TryGetValue(key, out var count))
            return;
        if (count > 1)
            _counts[key] = count - 1;
        else
            _counts.Remove(key);
    }
}
