using Gateway.Admission.Lanes;
using Gateway.Admission.Rates;
using Gateway.Codec.Binary;

namespace Gateway.Admission.Clients;

/// <summary>The current and past use of one certificate or one address. Owner: <see cref="ClientBook"/>. Counters: any
/// thread.</summary>
public sealed class ClientAccount : IAged<ClientAccount>
{
    private int _connections;
    private int _claims;
    private long _attempts;
    private long _refusals;
    private long _falseClaims;
    private long _lastFalseClaim;
    private int _verifiedCertificates;
    private int _httpConnections;
    private TokenBucket? _httpArrivals;
    private TokenBucket? _httpRequests;
    private ClientAccount? _home;
    private DecodeHolder? _decoding;

    /// <param name="key">See <see cref="Key"/>.</param>
    /// <param name="rate">Of its connections; null: a certificate opens none.</param>
    internal ClientAccount(string key, TokenRate? rate) => (Key, Bucket) = (key, rate?.NewBucket());

    /// <summary>Thumbprint or address.</summary>
    public string Key { get; }

    /// <summary>Of a certificate that was verified: its subject; else null.</summary>
    public string? Subject { get; set; }

    public string? ApplicationUri { get; set; }

    /// <summary>Of a certificate: where it was verified last.</summary>
    public string? Address => Home?.Key;

    public FairShare DoorShare { get; } = new();

    public FairShare LaneShare { get; } = new();

    /// <summary>Connections (address) or open channels (certificate) now.</summary>
    public int Connections => Volatile.Read(ref _connections);

    /// <summary>Of an address: those that are past the door; under the lock of the connections' registry.</summary>
    public int LetIn { get; set; }

    /// <summary>HTTP connections of an address now; they are none of <see cref="Connections"/>.</summary>
    public int HttpConnections => Volatile.Read(ref _httpConnections);

    /// <summary>Handshakes under way that name this certificate, unverified.</summary>
    public int Claims => Volatile.Read(ref _claims);

    /// <summary>The memory of its requests under decoding; made for clients that take much.</summary>
    public DecodeHolder Decoding => Volatile.Read(ref _decoding) ??
        Interlocked.CompareExchange(ref _decoding, new DecodeHolder(), null) ?? _decoding;

    public long Attempts => Volatile.Read(ref _attempts);

    public long Refusals => Volatile.Read(ref _refusals);

    public long FalseClaims => Volatile.Read(ref _falseClaims);

    /// <summary>Of an address: certificates behind it whose signature was right, and not elsewhere since.</summary>
    public int VerifiedCertificates => Volatile.Read(ref _verifiedCertificates);

    /// <summary>Monotonic timestamp of the last false claim; 0: none.</summary>
    public long LastFalseClaim => Volatile.Read(ref _lastFalseClaim);

    /// <summary>Of a certificate: the address that counts it.</summary>
    internal ClientAccount? Home => Volatile.Read(ref _home);

    /// <summary>Of an address: its connections a second.</summary>
    internal TokenBucket? Bucket { get; }

    /// <summary>Refusals with a hint whose clients have not come back; under the retry schedule's lock.</summary>
    internal int Owed { get; set; }

    /// <summary>Its place in the book; these are the table's, under its lock.</summary>
    internal object? TableKey { get; set; }

    internal int Holds { get; set; }

    internal bool IsIdle { get; set; }

    ClientAccount? IAged<ClientAccount>.Older { get; set; }

    ClientAccount? IAged<ClientAccount>.Younger { get; set; }

    internal bool TryConnect(int limit)
    {
        if (Interlocked.Increment(ref _connections) <= limit)
            return true;
        Interlocked.Decrement(ref _connections);
        return false;
    }

    internal void Disconnect() => Interlocked.Decrement(ref _connections);

    internal void AddHttpConnections(int change) => Interlocked.Add(ref _httpConnections, change);

    /// <summary>Of an address: its HTTP connections a second. Made for those that come over HTTP.</summary>
    internal TokenBucket HttpArrivals(TokenRate rate) => Bucketed(ref _httpArrivals, rate);

    /// <summary>Of an address: its HTTP requests a second.</summary>
    internal TokenBucket HttpRequests(TokenRate rate) => Bucketed(ref _httpRequests, rate);

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
        Volatile.Write(ref _lastFalseClaim, Math.Max(1, now));
    }

    /// <summary>Of a certificate: it was verified at this address, and counts there and nowhere else.</summary>
    internal void SetHome(ClientAccount? home)
    {
        var before = Interlocked.Exchange(ref _home, home);
        if (ReferenceEquals(before, home))
            return;
        before?.AddCertificates(-1);
        home?.AddCertificates(1);
    }

    private static TokenBucket Bucketed(ref TokenBucket? bucket, TokenRate rate) =>
        Volatile.Read(ref bucket) ?? Interlocked.CompareExchange(ref bucket, rate.NewBucket(), null) ?? bucket;

    private void AddCertificates(int change)
    {
        var weight = Math.Max(1, Interlocked.Add(ref _verifiedCertificates, change));
        LaneShare.Weight = weight;
        DoorShare.Weight = weight;
    }
}
