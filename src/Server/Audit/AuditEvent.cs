namespace Gateway.Server.Audit;

/// <summary>What an operator may want to know later about who did or tried what (R29); named after the standard's
/// AuditEvent types where there is one.</summary>
public enum AuditEvent
{
    /// <summary>A SecureChannel on which sessions can be made.</summary>
    ChannelOpened,

    /// <summary>A channel without security that is there to ask for endpoints only.</summary>
    DiscoveryOpened,
    SessionCreated,
    SessionRefused,
    SessionActivated,
    ActivationRefused,
    UserChanged,
    SessionTransferred,
    SessionClosed,
    SessionTimedOut,
    SessionRecycled,

    /// <summary>Its channel was gone and its place was needed (R46).</summary>
    SessionEvicted,

    /// <summary>The same of a subscription whose session was gone.</summary>
    SubscriptionEvicted,
    EarlyService,
    ForeignChannel,
    WriteRefused,
    CallRefused,

    /// <summary>A method was called, with what its source answered.</summary>
    Called,

    /// <summary>A value went to its source, with what that answered.</summary>
    Written,

    /// <summary>A user of the HTTP paths; told once, not with each of his requests.</summary>
    LoginAccepted,
    LoginRefused,

    /// <summary>A SecureChannel has a new token.</summary>
    ChannelRenewed,

    /// <summary>A client, a user or an upstream has shown that it holds a certificate that is trusted; told once for
    /// each version of the trust list.</summary>
    CertificateAccepted,

    /// <summary>An operator has added or removed certificates or revocation lists.</summary>
    TrustListChanged,

    /// <summary>The subscription is there, and the session may not take it over.</summary>
    TransferRefused,

    /// <summary>A Read, or items, of what the user may not read: once for a Read, once for each item.</summary>
    ReadRefused,

    /// <summary>By a cap, or by its reserve (R09, R46).</summary>
    SubscriptionRefused,

    /// <summary>As <see cref="SubscriptionRefused"/>.</summary>
    ItemRefused,
}
