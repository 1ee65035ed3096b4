using Gateway.Admission.Lanes;

namespace Gateway.Admission.Clients;

/// <summary>Accounts by key, bounded: the one that holds nothing and was asked for the longest ago is forgotten first,
/// one that is held never. Everything O(1). Threads: any; its lock is a leaf.</summary>
internal sealed class AccountTable<TKey>(int limit, Func<TKey, ClientAccount> create)
    where TKey : notnull
{
    private readonly Lock _lock = new();
    private readonly Dictionary<TKey, ClientAccount> _accounts = [];

    /// <summary>Those that hold nothing.</summary>
    private AgeList<ClientAccount> _idle;

    public int Count
    {
        get
        {
            lock (_lock)
                return _accounts.Count;
        }
    }

    public ClientAccount? Find(TKey key)
    {
        lock (_lock)
            return _accounts.GetValueOrDefault(key);
    }

    /// <summary>When the table is full of held accounts: an account that no other connection shares.</summary>
    public ClientAccount Get(TKey key)
    {
        lock (_lock)
        {
            var account = GetUnderLock(key);
            if (account.IsIdle)
            {
                UnlinkUnderLock(account);
                LinkUnderLock(account);
            }

            return account;
        }
    }

    /// <summary>The same; it stays until <see cref="Release"/>.</summary>
    public ClientAccount Hold(TKey key)
    {
        lock (_lock)
        {
            var account = GetUnderLock(key);
            account.Holds++;
            if (account.IsIdle)
                UnlinkUnderLock(account);
            return account;
        }
    }

    public void Release(ClientAccount account)
    {
        lock (_lock)
        {
            if (--account.Holds == 0 && account.TableKey is not null)
                LinkUnderLock(account);
        }
    }

    public ClientAccount[] Snapshot()
    {
        lock (_lock)
            return [.. _accounts.Values];
    }

    private ClientAccount GetUnderLock(TKey key)
    {
        if (_accounts.TryGetValue(key, out var account))
            return account;
        account = create(key);
        if (_accounts.Count >= limit)
        {
            if (_idle.Oldest is not { } oldest)
                return account;
            ForgetUnderLock(oldest);
        }

        account.TableKey = key;
        _accounts.Add(key, account);
        LinkUnderLock(account);
        return account;
    }

    private void ForgetUnderLock(ClientAccount account)
    {
        UnlinkUnderLock(account);
        _accounts.Remove((TKey)account.TableKey!);
        account.TableKey = null;
        account.SetHome(null);
    }

    private void LinkUnderLock(ClientAccount account)
    {
        account.IsIdle = true;
        _idle.Add(account);
    }

    private void UnlinkUnderLock(ClientAccount account)
    {
        _idle.Remove(account);
        account.IsIdle = false;
    }
}
