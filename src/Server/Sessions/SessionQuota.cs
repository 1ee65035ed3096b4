using System.Collections.Concurrent;

namespace Gateway.Server.Sessions;

/// <summary>Counts sessions by a key (a user). Bounded by the sessions that there are: a key at zero is removed.
/// Thread-safe.</summary>
internal sealed class SessionQuota(int limit)
{
    private readonly ConcurrentDictionary<string, int> _counts = new(StringComparer.Ordinal);

    public bool TryTake(string key)
    {
        while (true)
        {
            var current = _counts.GetOrAdd(key, 0);
            if (current >= limit)
                return false;
            if (_counts.TryUpdate(key, current + 1, current))
                return true;
        }
    }

    public void Release(string key)
    {
        while (_counts.TryGetValue(key, out var current))
        {
            var done = current <= 1
                ? _counts.TryRemove(new KeyValuePair<string, int>(key, current))
                : _counts.TryUpdate(key, current - 1, current);
            if (done)
                return;
        }
    }
}
