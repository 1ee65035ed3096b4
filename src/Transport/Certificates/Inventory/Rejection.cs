namespace Gateway.Transport.Certificates.Inventory;

/// <summary>What is known of a rejected certificate beside its file: why, when, from where, how often. Threads: any.
/// </summary>
public sealed class Rejection(DateTimeOffset first, string address, string reason, CertificatePeerRole role)
{
    private readonly Lock _lock = new();
    private (DateTimeOffset At, string Address, string Reason, long Count) _last = (first, address, reason, 1);

    /// <summary>Since the gateway started.</summary>
    public DateTimeOffset First => first;

    /// <summary>Of whom it was.</summary>
    public CertificatePeerRole Role => role;

    public string Address => Last.Address;

    /// <summary>The last refusal; the reason in words of ours.</summary>
    public (DateTimeOffset At, string Address, string Reason, long Count) Last
    {
        get
        {
            lock (_lock)
                return _last;
        }
    }

    public void Again(DateTimeOffset at, string from, string why)
    {
        lock (_lock)
            _last = (at, from, why, _last.Count + 1);
    }
}
