using Gateway.Admission.Handshakes;
using Gateway.Admission.Lanes;
using Gateway.Codec.Binary;

namespace Gateway.Admission.Clients;

/// <summary>Admission's record of one connection from being admitted until it is gone. Owner: the connection, which
/// disposes it. Threads: any; calls after the end change nothing.</summary>
public sealed class ClientPass : HandshakeLease, IDisposable, IDecodeClient
{
    private readonly AdmissionControl _control;

    // Held in the book; the thread that takes it out of the field by an exchange releases it.
    private ClientAccount? _claimed;
    private ClientAccount? _certificate;
    private FairShare? _laneShare;
    private int _ended;

    internal ClientPass(AdmissionControl control, ClientAccount address) =>
        (_control, Address) = (control, address);

    public ClientAccount Address { get; }

    /// <summary>Null until an OPN was verified; null for channels without a certificate.</summary>
    public ClientAccount? Certificate => Volatile.Read(ref _certificate);

    /// <summary>Also of a connection that is gone: its amounts go back to their account.</summary>
    public DecodeHolders DecodeHolders => new(Address.Decoding, Certificate?.Decoding);

    /// <summary>Its certificate is verified here, and had an active session before, maybe before a restart.</summary>
    public bool IsKnownClient => Certificate is { } certificate && _control.Known.IsKnown(certificate.Key);

    /// <summary>Of the certificate that was named last, where it has an account: the owner's share in the lane; null
    /// also where admission is switched off.</summary>
    public FairShare? LaneShare => Volatile.Read(ref _laneShare);

    /// <summary>An OPN is here and waits for us, not for the peer.</summary>
    public void OpenArrived() => _control.Window.Renew(this);

    /// <summary>It names this certificate; unverified.</summary>
    /// <returns>Whether it may go first as a known one.</returns>
    public bool Claim(string thumbprint)
    {
        if (thumbprint.Length == 0 || !_control.IsEnabled)
            return false;
        var isKnown = _control.Known.IsKnown(thumbprint) && _control.IsCredible(Address);
        if (!isKnown)
        {
            // An account made for whatever is claimed would let strangers fill the book.
            Volatile.Write(ref _laneShare, _control.Clients.FindCertificate(thumbprint)?.LaneShare);
            _control.Window.MarkStranger(this);
            return false;
        }

        var account = _control.Clients.HoldCertificate(thumbprint);
        Volatile.Write(ref _laneShare, account.LaneShare);

        // Where it was verified last its claims are not bounded: false claims from elsewhere must not use them up.
        var limit = ReferenceEquals(account.Home, Address) ? int.MaxValue : _control.Limits.MaxClaimsPerCertificate;
        if (!account.TryClaim(limit))
        {
            _control.Clients.ReleaseCertificate(account);
            _control.Window.MarkStranger(this);
            return false;
        }

        EndClaim(Interlocked.Exchange(ref _claimed, account));
        EndIfOver();
        return true;
    }

    /// <summary>Its certificate took signature checks before it had proven anything: the address pays for them.
    /// </summary>
    public void Walked(int signatureChecks)
    {
        if (signatureChecks > 0)
            Address.LaneShare.Add(signatureChecks * AdmissionControl.PriceOfCheck);
    }

    /// <summary>The signature was right: the channel is its. False: the certificate has as many channels as it may.
    /// </summary>
    public bool TryVerify(string thumbprint, string? subject)
    {
        _control.Window.Served(this);
        OpenEnded();
        if (thumbprint.Length == 0 || Certificate is not null)
            return true;
        var account = _control.Clients.HoldCertificate(thumbprint);
        account.Attempted();
        if (!account.TryConnect(_control.Limits.MaxConnectionsPerCertificate))
        {
            _control.Clients.ReleaseCertificate(account);
            return false;
        }

        account.Subject ??= subject ?? "";
        account.SetHome(Address);
        Volatile.Write(ref _laneShare, _control.IsEnabled ? account.LaneShare : null);
        if (Interlocked.CompareExchange(ref _certificate, account, null) is not null)
            EndChannel(account);
        EndIfOver();
        return true;
    }

    /// <summary>The signature was wrong, or the OPN could not be decrypted: the address pays, not the certificate.
    /// </summary>
    public void Lied()
    {
        OpenEnded();
        Interlocked.Exchange(ref _laneShare, null)?.Add(-1);
        Address.LaneShare.Add(AdmissionControl.PriceOfLie);
        Address.Lied(_control.Time.GetTimestamp());
    }

    /// <summary>The OPN ended otherwise: refused, expired.</summary>
    public void OpenEnded()
    {
        EndClaim(Interlocked.Exchange(ref _claimed, null));
        _control.Window.End(this);
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
        if (Interlocked.Exchange(ref _ended, 1) != 0)
            return;
        _control.Window.Close(this);
        EndIfOver();
        Address.Disconnect();
        _control.Clients.ReleaseAddress(Address);
    }

    /// <summary>If a connection ends during a handshake, the last party that sees the handshake returns its
    /// share.</summary>
    private void EndIfOver()
    {
        if (Volatile.Read(ref _ended) == 0)
            return;
        EndClaim(Interlocked.Exchange(ref _claimed, null));
        if (Interlocked.Exchange(ref _certificate, null) is { } certificate)
            EndChannel(certificate);
    }

    private void EndClaim(ClientAccount? claimed)
    {
        if (claimed is null)
            return;
        claimed.EndClaim();
        _control.Clients.ReleaseCertificate(claimed);
    }

    private void EndChannel(ClientAccount certificate)
    {
        certificate.Disconnect();
        _control.Clients.ReleaseCertificate(certificate);
    }
}
