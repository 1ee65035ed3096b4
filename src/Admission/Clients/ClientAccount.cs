using Gateway.Admission.Lanes;

namespace Gateway.Admission.Clients;

/// <summary>What one certificate or one address uses and has used. Counters: any thread.</summary>
public sealed class ClientAccount(string key)
{
    private int _connections;
    private int _claims;
    private long _attempts;
    private long _refusals;
    private long _falseClaims;
    private int _verifiedCertificates;

    /// <summary>Thumbprint or address.</summary>
    public string Key { get; } = key;

    /// <summary>Of a certificate that was verified: its subject; else null.</summary>
    public string? Subject { get; set; }

    public string? ApplicationUri { get; set; }

    /// <summary>Of a certificate: where it was seen last.</summary>
    public string? Address { get; set; }

    public FairShare DoorShare { get; } = new();

    public FairShare LaneShare { get; } = new();

    /// <summary>Connections (address) or open channels (certificate) now.</summary>
    public int Connections => Volatile.Read(ref _connections);

    /// <summary>Handshakes under way that name this certificate, unverified.</summary>
    public int Claims => Volatile.Read(ref _claims);

    public long Attempts => Volatile.Read(ref _attempts);

    public long Refusals => Volatile.Read(ref _refusals);

    public long FalseClaims => Volatile.Read(ref _falseClaims);

    /// <summary>Of an address: certificates seen behind it whose signature was right.</summary>
    public int VerifiedCertificates => Volatile.Read(ref _verifiedCertificates);

    /// <summary>Monotonic timestamp of the last false claim; 0: none.</summary>
    public long LastFalseClaim { get; private set; }

    internal bool TryConnect(int limit)
    {
        if (Interlocked.Increment(ref _connections) <= limit)
            return true;
        Interlocked.Decrement(ref _connections);
        return false;
    }

    internal void Disconnect() => Interlocked.Decrement(ref _connections);

    internal bool TryClaim(int limit)
    {
        if (Interlocked.Increment(ref _claims) <= limit)
            return true;
        Interlocked.Decrement(ref _claims);
        return false;
    }

    internal void EndClaim() => Interlocked.Decrement(ref _claims);

    internal void Attempted() => Interlocked.Increment(ref _attempts);

    internal void Refused() => Interlocked.Increment(ref _refusals);

    internal void Lied(long now)
    {
        Interlocked.Increment(ref _falseClaims);
        LastFalseClaim = Math.Max(1, now);
    }

    internal void SawVerifiedCertificate()
    {
        var count = Interlocked.Increment(ref _verifiedCertificates);
        LaneShare.Weight = Math.Max(1, count);
        DoorShare.Weight = Math.Max(1, count);
    }
}
