using System.Net;
using Gateway.Admission.Rates;

namespace Gateway.Admission.Clients;

/// <summary>Accounts of addresses and of certificates, as many of each as the limit says; one with a connection or a
/// claim is never forgotten. Threads: any.</summary>
public sealed class ClientBook
{
    private readonly AccountTable<IPAddress> _addresses;
    private readonly AccountTable<string> _certificates;

    internal ClientBook(AdmissionLimits limits, TimeProvider time)
    {
        var rate = new TokenRate(time, limits.MaxConnectionsPerSecondPerAddress, TokenRate.Burst);
        _addresses = new(limits.MaxTrackedClients, key => new ClientAccount(key.ToString(), rate));
        _certificates = new(limits.MaxTrackedClients, static key => new ClientAccount(key, rate: null));
    }

    public int AddressCount => _addresses.Count;

    public int CertificateCount => _certificates.Count;

    /// <summary>A copy.</summary>
    public IEnumerable<ClientAccount> Addresses => _addresses.Snapshot();

    /// <summary>A copy.</summary>
    public IEnumerable<ClientAccount> Certificates => _certificates.Snapshot();

    /// <summary>The account of the key; when the book is full and no account can be dropped, a new one that no other
    /// connection shares.
    /// </summary>
    public ClientAccount Address(IPAddress address) => _addresses.Get(AddressKey.Of(address));

    public ClientAccount Certificate(string thumbprint) => _certificates.Get(thumbprint);

    /// <summary>Null: it was never verified, nor claimed as a known one.</summary>
    public ClientAccount? FindCertificate(string thumbprint) => _certificates.Find(thumbprint);

    internal ClientAccount HoldAddress(IPAddress address) => _addresses.Hold(AddressKey.Of(address));

    internal void ReleaseAddress(ClientAccount account) => _addresses.Release(account);

    internal ClientAccount HoldCertificate(string thumbprint) => _certificates.Hold(thumbprint);

    internal void ReleaseCertificate(ClientAccount account) => _certificates.Release(account);
}
