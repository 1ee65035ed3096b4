namespace Gateway.Transport.Reverse;

/// <summary>The fate of a connection that a server has opened.</summary>
public enum ReverseOutcome
{
    /// <summary>It waits for its upstream, or was taken by it.</summary>
    Accepted,

    /// <summary>Nobody is configured for its ServerUri and EndpointUrl.</summary>
    Unknown,

    /// <summary>No ReverseHello, or one that cannot be read.</summary>
    Malformed,

    /// <summary>No whole ReverseHello in time.</summary>
    TimedOut,

    /// <summary>Too many at a time, of all or of its address, or in a second.</summary>
    Crowded,

    /// <summary>It had waited, and made room for a newer one.</summary>
    Surplus,

    /// <summary>It had waited so long that its server may be gone.</summary>
    Expired,
}
