using Gateway.Codec.Types;
using Gateway.Events.Model;
using Gateway.Transport.Certificates;

namespace Gateway.Server.Audit.Trail;

/// <summary>The standard's event for each of ours, and its SourceName. Source: Part 4 §6.5.5 to §6.5.10.</summary>
internal static class AuditKinds
{
    /// <summary>Null: the standard has no event for it.</summary>
    public static EventLayout? LayoutOf(AuditEvent kind) => kind switch
    {
        AuditEvent.ChannelOpened or AuditEvent.DiscoveryOpened or AuditEvent.ChannelRefused =>
            AuditLayouts.OpenSecureChannel,
        AuditEvent.ChannelClosed or AuditEvent.ConnectionEnded or AuditEvent.ForeignChannel => AuditLayouts.Channel,
        AuditEvent.SessionCreated or AuditEvent.SessionRefused => AuditLayouts.CreateSession,
        AuditEvent.UrlMismatch => AuditLayouts.UrlMismatch,
        AuditEvent.SessionActivated or AuditEvent.ActivationRefused or AuditEvent.UserChanged or
            AuditEvent.SessionTransferred or AuditEvent.LoginAccepted or AuditEvent.LoginRefused =>
            AuditLayouts.ActivateSession,
        AuditEvent.SessionClosed or AuditEvent.SessionTimedOut or AuditEvent.SessionRecycled or
            AuditEvent.SessionEvicted or AuditEvent.SessionEnded or AuditEvent.EarlyService => AuditLayouts.Session,
        AuditEvent.RequestsCancelled => AuditLayouts.Cancel,
        AuditEvent.Written or AuditEvent.WriteRefused => AuditLayouts.WriteUpdate,
        AuditEvent.Called or AuditEvent.CallRefused => AuditLayouts.UpdateMethod,
        AuditEvent.TrustListChanged or AuditEvent.CertificateMoved => AuditLayouts.TrustListUpdated,
        AuditEvent.ConfigurationReloaded => AuditLayouts.ConfigurationUpdated,
        AuditEvent.UpstreamTested => AuditLayouts.Client,
        AuditEvent.ManagementRefused or AuditEvent.TransferRefused => AuditLayouts.Security,
        // Subscription and View services need none, and a certificate that is accepted shows in its channel.
        AuditEvent.ChannelRenewed or AuditEvent.CertificateAccepted => null,
        _ => AuditLayouts.Audit,
    };

    public static string SourceNameOf(AuditEvent kind, StatusCode status) => kind switch
    {
        AuditEvent.ChannelOpened or AuditEvent.DiscoveryOpened or AuditEvent.ChannelRefused =>
            "SecureChannel/OpenSecureChannel",
        AuditEvent.ChannelClosed or AuditEvent.ConnectionEnded => "SecureChannel/CloseSecureChannel",
        AuditEvent.SessionCreated or AuditEvent.SessionRefused or AuditEvent.UrlMismatch => "Session/CreateSession",
        AuditEvent.SessionActivated or AuditEvent.ActivationRefused or AuditEvent.UserChanged or
            AuditEvent.SessionTransferred => "Session/ActivateSession",
        AuditEvent.SessionClosed when status.IsGood => "Session/CloseSession",
        AuditEvent.SessionTimedOut => "Session/Timeout",
        AuditEvent.SessionClosed or AuditEvent.SessionRecycled or AuditEvent.SessionEvicted or
            AuditEvent.SessionEnded => "Session/Terminated",
        AuditEvent.RequestsCancelled => "Session/Cancel",
        AuditEvent.LoginAccepted or AuditEvent.LoginRefused => "Http/Login",
        AuditEvent.ManagementRefused => "Http/Management",
        AuditEvent.Written or AuditEvent.WriteRefused => "Attribute/Write",
        AuditEvent.ReadRefused => "Attribute/Read",
        AuditEvent.Called or AuditEvent.CallRefused => "Attribute/Call",
        AuditEvent.TransferRefused => "Subscription/TransferSubscriptions",
        AuditEvent.ConfigurationReloaded => "Configuration/Reload",
        _ => "Gateway/" + kind,
    };

    /// <summary>The event of a certificate that was refused: of all that is wrong, what the standard checks first.
    /// Source: Part 4 §6.1.3.</summary>
    public static EventLayout LayoutOf(CertificateFault fault)
    {
        const CertificateFault Revoked = CertificateFault.Revoked | CertificateFault.IssuerRevoked |
            CertificateFault.RevocationUnknown | CertificateFault.IssuerRevocationUnknown;
        const CertificateFault Time =
            CertificateFault.Expired | CertificateFault.NotYetValid | CertificateFault.IssuerTimeInvalid;
        const CertificateFault Trust =
            CertificateFault.Untrusted | CertificateFault.ChainIncomplete | CertificateFault.Changed;
        const CertificateFault Usage = CertificateFault.UsageNotAllowed | CertificateFault.IssuerUsageNotAllowed |
            CertificateFault.KeyUsageMissing | CertificateFault.DataEnciphermentMissing;
        if ((fault & ~(Revoked | Time | Trust | Usage | CertificateFault.UriMismatch)) != 0)
            return AuditLayouts.CertificateInvalid;
        return (fault & Trust) != 0 ? AuditLayouts.CertificateUntrusted
            : (fault & Time) != 0 ? AuditLayouts.CertificateExpired
            : (fault & CertificateFault.UriMismatch) != 0 ? AuditLayouts.CertificateDataMismatch
            : (fault & Usage) != 0 ? AuditLayouts.CertificateMismatch
            : AuditLayouts.CertificateRevoked;
    }

    /// <summary>Of lines for the operator: the others are for the audit trail alone, because admission has told them
    /// already, or because there are as many as connections.</summary>
    public static bool HasLine(AuditEvent kind) => kind is not (AuditEvent.ChannelClosed or AuditEvent.ChannelRefused
        or AuditEvent.UrlMismatch or AuditEvent.RequestsCancelled);
}
