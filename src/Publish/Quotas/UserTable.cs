namespace Gateway.Publish.Quotas;

/// <summary>Users that have sessions or subscriptions; bounded by those, as the last one takes its user along.
/// Thread-safe; its lock is a leaf.</summary>
internal sealed class UserTable(UsageLimits limits)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, Usage> _users = new(StringComparer.Ordinal);

    public int Count
    {
        get
        {
            lock (_lock)
                return _users.Count;
        }
    }

    public Usage Enter(string key)
    {
        lock (_lock)
        {
            if (!_users.TryGetValue(key, out var user))
                _users.Add(key, user = new Usage(limits, key));
            user.Sessions++;
            return user;
        }
    }

    public void Leave(Usage user)
    {
        lock (_lock)
        {
            if (--user.Sessions == 0)
                _users.Remove(user.Key);
        }
    }
}
