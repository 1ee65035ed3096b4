using Gateway.Admission.Door;

namespace Gateway.Admission.Clients;

/// <summary>What admission knows of one connection from being let in until it is gone. Owner: the connection, which
/// disposes it. Threads: any.</summary>
public sealed class ClientPass : IDisposable
{
    private readonly AdmissionControl _control;
    private ClientAccount? _claimed;
    private int _disposed;

    internal ClientPass(AdmissionControl control, ClientAccount address)
    {
        (_control, Address) = (control, address);
        Lease = control.Window.Take();
    }

    public ClientAccount Address { get; }

    /// <summary>Null until an OPN was verified; null for channels without a certificate.</summary>
    public ClientAccount? Certificate { get; private set; }

    internal HandshakeLease Lease { get; }

    /// <summary>An OPN is here and waits for us, not for the peer.</summary>
    public void OpenArrived() => _control.Window.Renew(Lease);

    /// <summary>It names this certificate; unverified.</summary>
    /// <returns>Whether it may go first as a known one.</returns>
    public bool Claim(string thumbprint)
    {
        if (thumbprint.Length == 0 || _claimed is not null || !_control.IsCredible(Address) ||
            !_control.Known.IsKnown(thumbprint))
            return false;
        var account = _control.Clients.Certificate(thumbprint);
        if (!account.TryClaim(_control.Limits.MaxClaimsPerCertificate))
            return false;
        _claimed = account;
        return true;
    }

    /// <summary>The signature was right: the channel is its. False: the certificate has as many channels as it may.
    /// </summary>
    public bool TryVerify(string thumbprint, string? subject)
    {
        EndClaim();
        _control.Window.End(Lease);
        if (thumbprint.Length == 0)
            return true;
        if (Certificate is not null)
            return true;
        var account = _control.Clients.Certificate(thumbprint);
        if (!account.TryConnect(_control.Limits.MaxConnectionsPerCertificate))
            return false;
        if (account.Subject is null)
            Address.SawVerifiedCertificate();
        account.Subject ??= subject ?? "";
        account.Address = Address.Key;
        account.Attempted();
        Certificate = account;
        return true;
    }

    /// <summary>The signature was wrong, or the OPN could not be decrypted: the address pays, not the certificate.
    /// </summary>
    public void Lied()
    {
        EndClaim();
        _control.Window.End(Lease);
        Address.Lied(_control.Time.GetTimestamp());
    }

    /// <summary>The OPN ended otherwise: refused, expired.</summary>
    public void OpenEnded()
    {
        EndClaim();
        _control.Window.End(Lease);
    }

    /// <summary>A session of it became active.</summary>
    public void Activated()
    {
        if (Certificate is { } certificate)
            _control.Known.MarkActive(
                certificate.Key, DateOnly.FromDateTime(_control.Time.GetUtcNow().UtcDateTime));
    }

    public void Dispose()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0)
            return;
        OpenEnded();
        Certificate?.Disconnect();
        Address.Disconnect();
        _control.Door.Pump();
    }

    private void EndClaim()
    {
        if (Interlocked.Exchange(ref _claimed, null) is { } claimed)
            claimed.EndClaim();
    }
}
