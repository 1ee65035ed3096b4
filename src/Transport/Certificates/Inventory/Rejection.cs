namespace Gateway.Transport.Certificates.Inventory;

/// <summary>The facts of a rejected certificate beside its file: why, when, from where, how often. Threads: any.
/// </summary>
public sealed class Rejection(
    DateTimeOffset first, string address, string reason, CertificatePeerRole role, string upstream = "")
{
    private readonly Lock _lock = new();
    private (DateTimeOffset At, string Address, string Reason, long Count) _last = (first, address, reason, 1);
    private volatile string _upstream = upstream;

    /// <summary>Its reason stays: that it is no longer trusted follows from it.</summary>
    public bool IsByOperator { get; init; }

    /// <summary>Since the gateway started.</summary>
    public DateTimeOffset First => first;

    /// <summary>Of whom it was.</summary>
    public CertificatePeerRole Role => role;

    public string Address => Last.Address;

    /// <summary>The configured name of the upstream that showed it last; empty: none did.</summary>
    public string Upstream => _upstream;

    /// <summary>The one that the room it takes is counted for.</summary>
    internal string Origin => _upstream.Length > 0 ? "upstream " + _upstream : Address;

    /// <summary>The last refusal; the reason in words of ours.</summary>
    public (DateTimeOffset At, string Address, string Reason, long Count) Last
    {
        get
        {
            lock (_lock)
                return _last;
        }
    }

    /// <param name="at">Now.</param>
    /// <param name="from">Empty: an open channel was checked again.</param>
    /// <param name="why">In words of ours.</param>
    /// <param name="byUpstream">The upstream that showed it; empty: none.</param>
    public void Again(DateTimeOffset at, string from, string why, string byUpstream = "")
    {
        if (byUpstream.Length > 0)
            _upstream = byUpstream;
        lock (_lock)
            _last = (
                at, from.Length > 0 ? from : _last.Address, IsByOperator ? _last.Reason : why, _last.Count + 1);
    }
}
