namespace Gateway.Server.Audit;

/// <summary>The kinds of security-relevant events that the gateway logs for the operator (R29). Named after the
/// standard's AuditEvent types where there is one.</summary>
public enum AuditEvent
{
    /// <summary>A SecureChannel that can carry sessions.</summary>
    ChannelOpened,

    /// <summary>A SecureChannel without security that can only ask for endpoints.</summary>
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

    /// <summary>A session whose SecureChannel was gone made room for another at the cap (R46).</summary>
    SessionEvicted,

    /// <summary>A subscription whose session was gone made room for another at the cap (R46).</summary>
    SubscriptionEvicted,
    EarlyService,
    ForeignChannel,
    WriteRefused,
    CallRefused,

    /// <summary>A method call reached its source; the status is the source's answer.</summary>
    Called,

    /// <summary>A value reached its source; the status is the source's answer.</summary>
    Written,

    /// <summary>A user logged in over HTTP. Logged once, not for each of the user's requests.</summary>
    LoginAccepted,
    LoginRefused,

    /// <summary>A SecureChannel has a new token.</summary>
    ChannelRenewed,

    /// <summary>A client, a user or an upstream has proved that it holds a trusted certificate. Logged once for each
    /// version of the trust list.</summary>
    CertificateAccepted,

    /// <summary>An operator has added or removed certificates or revocation lists.</summary>
    TrustListChanged,

    /// <summary>The subscription exists, but the session may not take it over.</summary>
    TransferRefused,

    /// <summary>The user may not read a value. One event for each Read, and one for each monitored item.</summary>
    ReadRefused,

    /// <summary>Refused by a cap or by its reserve (R09, R46).</summary>
    SubscriptionRefused,

    /// <summary>As <see cref="SubscriptionRefused"/>.</summary>
    ItemRefused,

    /// <summary>An operator has ended a session.</summary>
    SessionEnded,

    /// <summary>An operator has ended a connection.</summary>
    ConnectionEnded,

    /// <summary>An operator has trusted, rejected or deleted a certificate.</summary>
    CertificateMoved,

    /// <summary>An operator has had the configuration read again.</summary>
    ConfigurationReloaded,

    /// <summary>An operator had a connection to an upstream tried.</summary>
    UpstreamTested,

    /// <summary>A user without the role for it asked for the state or the management of the gateway.</summary>
    ManagementRefused,

    /// <summary>A SecureChannel has ended. In the audit trail alone.</summary>
    ChannelClosed,

    /// <summary>An OPN, or a renewal, was refused. In the audit trail alone: admission has the line.</summary>
    ChannelRefused,

    /// <summary>A client came by a name that is not in the gateway's certificate. In the audit trail alone.</summary>
    UrlMismatch,

    /// <summary>A client gave up requests of its own. In the audit trail alone.</summary>
    RequestsCancelled,

    /// <summary>An operator has accepted the changed model of an upstream.</summary>
    DriftAccepted,
}
