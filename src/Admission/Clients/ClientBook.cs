using System.Collections.Concurrent;
using System.Net;

namespace Gateway.Admission.Clients;

/// <summary>Accounts of addresses and of certificates, bounded: where there are too many, those that hold nothing are
/// forgotten. Threads: any.</summary>
public sealed class ClientBook(int limit)
{
    private readonly ConcurrentDictionary<IPAddress, ClientAccount> _addresses = new();
    private readonly ConcurrentDictionary<string, ClientAccount> _certificates = new(StringComparer.Ordinal);

    public int AddressCount => _addresses.Count;

    public int CertificateCount => _certificates.Count;

    public IEnumerable<ClientAccount> Addresses => _addresses.Values;

    public IEnumerable<ClientAccount> Certificates => _certificates.Values;

    /// <summary>The one for it; where the book is full and nobody can be forgotten, a new one that nobody else sees.
    /// </summary>
    public ClientAccount Address(IPAddress address)
    {
        if (_addresses.TryGetValue(address, out var account))
            return account;
        return HasRoom(_addresses)
            ? _addresses.GetOrAdd(address, static key => new ClientAccount(key.ToString()))
            : new ClientAccount(address.ToString());
    }

    public ClientAccount Certificate(string thumbprint)
    {
        if (_certificates.TryGetValue(thumbprint, out var account))
            return account;
        return HasRoom(_certificates)
            ? _certificates.GetOrAdd(thumbprint, static key => new ClientAccount(key))
            : new ClientAccount(thumbprint);
    }

    private bool HasRoom<TKey>(ConcurrentDictionary<TKey, ClientAccount> accounts)
        where TKey : notnull
    {
        if (accounts.Count < limit)
            return true;
        foreach (var (key, account) in accounts)
        {
            if (account.Connections == 0 && account.Claims == 0)
                accounts.TryRemove(key, out _);
        }

        return accounts.Count < limit;
    }
}
