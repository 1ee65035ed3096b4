using System.Net;

namespace Gateway.Server.Users;

/// <summary>
/// Slows guessing: after <see cref="ServerLimits.MaxFailedLogins"/> failures of one user from one address, one further
/// try in <see cref="ServerLimits.FailedLoginInterval"/> is looked at and the others are refused unseen (R30). A
/// success forgets the failures. At most twice <see cref="ServerLimits.MaxTrackedLogins"/> entries, in two
/// generations. Any thread.
/// </summary>
internal sealed class FailedLogins(TimeProvider timeProvider, ServerLimits limits)
{
    private static readonly TimeSpan ForgetAfter = TimeSpan.FromMinutes(5);

    private readonly Lock _lock = new();
    private Dictionary<Key, Entry> _young = [];
    private Dictionary<Key, Entry> _old = [];

    public int Count
    {
        get
        {
            lock (_lock)
                return _young.Count + _old.Count;
        }
    }

    /// <summary>False: refuse without looking. True takes the turn of this second.</summary>
    public bool MayTry(string user, EndPoint? address)
    {
        lock (_lock)
        {
            var key = Key.Of(user, address);
            if (!_young.TryGetValue(key, out var entry) && !_old.TryGetValue(key, out entry))
                return true;
            if (entry.Failures < limits.MaxFailedLogins)
                return true;
            var now = timeProvider.GetTimestamp();
            var sinceLast = timeProvider.GetElapsedTime(entry.LastTry, now);
            if (sinceLast < limits.FailedLoginInterval)
                return false;
            // A try counts when it is let through, not when its answer is known: no race of many at once.
            StoreUnderLock(key, sinceLast > ForgetAfter ? default : entry with { LastTry = now });
            return true;
        }
    }

    public void Failed(string user, EndPoint? address)
    {
        lock (_lock)
        {
            var key = Key.Of(user, address);
            if (!_young.TryGetValue(key, out var entry))
                _old.TryGetValue(key, out entry);
            StoreUnderLock(key, new Entry(entry.Failures + 1, timeProvider.GetTimestamp()));
        }
    }

    public void Succeeded(string user, EndPoint? address)
    {
        lock (_lock)
        {
            var key = Key.Of(user, address);
            _young.Remove(key);
            _old.Remove(key);
        }
    }

    private void StoreUnderLock(Key key, Entry entry)
    {
        if (_young.Count >= limits.MaxTrackedLogins && !_young.ContainsKey(key))
            (_old, _young) = (_young, []);
        _young[key] = entry;
    }

    /// <summary>Names come from the peer: their hash is kept, not they.</summary>
    private readonly record struct Key(int User, IPAddress Address)
    {
        public static Key Of(string user, EndPoint? address) => new(
            string.GetHashCode(user, StringComparison.Ordinal), (address as IPEndPoint)?.Address ?? IPAddress.None);
    }

    private readonly record struct Entry(int Failures, long LastTry);
}
