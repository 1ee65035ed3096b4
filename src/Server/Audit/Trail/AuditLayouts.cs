using Gateway.Codec.Types;
using Gateway.Events.Model;
using static Gateway.Codec.Types.StandardIds.ObjectTypes;

namespace Gateway.Server.Audit.Trail;

/// <summary>The fields of each AuditEvent type behind those of BaseEventType, from the root of the types down, in the
/// order in which <see cref="AuditEventMaker"/> fills them. Source: Part 5 §6.4.3 to §6.4.27.</summary>
internal static class AuditLayouts
{
    private static readonly EventField[] AuditFields =
    [
        Field("ActionTimeStamp", BuiltInType.DateTime),
        Field("Status", BuiltInType.Boolean),
        Field("ServerId", BuiltInType.String),
        Field("ClientAuditEntryId", BuiltInType.String),
        Field("ClientUserId", BuiltInType.String),
        Field("ClientApplicationUri", BuiltInType.String),
    ];

    private static readonly EventField[] SecurityFields =
        [.. AuditFields, Field("StatusCodeId", BuiltInType.StatusCode)];

    private static readonly EventField[] ChannelFields =
        [.. SecurityFields, Field("SecureChannelId", BuiltInType.String)];

    private static readonly EventField[] SessionFields =
        [.. SecurityFields, Field("SessionId", BuiltInType.NodeId)];

    private static readonly EventField[] CreateSessionFields =
    [
        .. SessionFields,
        Field("SecureChannelId", BuiltInType.String),
        Field("ClientCertificate", BuiltInType.ByteString),
        Field("ClientCertificateThumbprint", BuiltInType.String),
        Field("RevisedSessionTimeout", BuiltInType.Double),
    ];

    private static readonly EventField[] CertificateFields =
        [.. SecurityFields, Field("Certificate", BuiltInType.ByteString)];

    public static EventField[] MethodFields { get; } =
    [
        .. AuditFields,
        Field("MethodId", BuiltInType.NodeId),
        Field("StatusCodeId", BuiltInType.StatusCode),
        Field("InputArguments", BuiltInType.Variant),
        Field("OutputArguments", BuiltInType.Variant),
    ];

    public static EventLayout Audit { get; } = StandardEvents.OfAudit(AuditEventType, AuditFields);

    public static EventLayout Security { get; } = StandardEvents.OfAudit(AuditSecurityEventType, SecurityFields);

    public static EventLayout Channel { get; } = StandardEvents.OfAudit(AuditChannelEventType, ChannelFields);

    public static EventLayout OpenSecureChannel { get; } = StandardEvents.OfAudit(AuditOpenSecureChannelEventType,
    [
        .. ChannelFields,
        Field("ClientCertificate", BuiltInType.ByteString),
        Field("ClientCertificateThumbprint", BuiltInType.String),
        Field("RequestType", BuiltInType.Int32),
        Field("SecurityPolicyUri", BuiltInType.String),
        Field("SecurityMode", BuiltInType.Int32),
        Field("RequestedLifetime", BuiltInType.Double),
        Field("CertificateErrorEventId", BuiltInType.ByteString),
    ]);

    public static EventLayout Session { get; } = StandardEvents.OfAudit(AuditSessionEventType, SessionFields);

    public static EventLayout CreateSession { get; } =
        StandardEvents.OfAudit(AuditCreateSessionEventType, CreateSessionFields);

    public static EventLayout UrlMismatch { get; } = StandardEvents.OfAudit(
        AuditUrlMismatchEventType, [.. CreateSessionFields, Field("EndpointUrl", BuiltInType.String)]);

    public static EventLayout ActivateSession { get; } = StandardEvents.OfAudit(AuditActivateSessionEventType,
    [
        .. SessionFields,
        Field("ClientSoftwareCertificates", BuiltInType.ExtensionObject),
        Field("UserIdentityToken", BuiltInType.ExtensionObject),
        Field("SecureChannelId", BuiltInType.String),
    ]);

    public static EventLayout Cancel { get; } = StandardEvents.OfAudit(
        AuditCancelEventType, [.. SessionFields, Field("RequestHandle", BuiltInType.UInt32)]);

    public static EventLayout CertificateExpired { get; } =
        StandardEvents.OfAudit(AuditCertificateExpiredEventType, CertificateFields);

    public static EventLayout CertificateInvalid { get; } =
        StandardEvents.OfAudit(AuditCertificateInvalidEventType, CertificateFields);

    public static EventLayout CertificateUntrusted { get; } =
        StandardEvents.OfAudit(AuditCertificateUntrustedEventType, CertificateFields);

    public static EventLayout CertificateRevoked { get; } =
        StandardEvents.OfAudit(AuditCertificateRevokedEventType, CertificateFields);

    public static EventLayout CertificateMismatch { get; } =
        StandardEvents.OfAudit(AuditCertificateMismatchEventType, CertificateFields);

    public static EventLayout CertificateDataMismatch { get; } = StandardEvents.OfAudit(
        AuditCertificateDataMismatchEventType,
        [
            .. CertificateFields,
            Field("InvalidHostname", BuiltInType.String),
            Field("InvalidUri", BuiltInType.String),
        ]);

    public static EventLayout WriteUpdate { get; } = StandardEvents.OfAudit(AuditWriteUpdateEventType,
    [
        .. AuditFields,
        Field("AttributeId", BuiltInType.UInt32),
        Field("IndexRange", BuiltInType.String),
        Field("OldValue", BuiltInType.Variant),
        Field("NewValue", BuiltInType.Variant),
    ]);

    public static EventLayout UpdateMethod { get; } = StandardEvents.OfAudit(AuditUpdateMethodEventType, MethodFields);

    public static EventLayout TrustListUpdated { get; } = StandardEvents.OfAudit(
        TrustListUpdatedAuditEventType, [.. MethodFields, Field("TrustListId", BuiltInType.NodeId)]);

    public static EventLayout ConfigurationUpdated { get; } = StandardEvents.OfAudit(ConfigurationUpdatedAuditEventType,
    [
        .. AuditFields,
        Field("OldVersion", BuiltInType.UInt32),
        Field("NewVersion", BuiltInType.UInt32),
    ]);

    public static EventLayout Client { get; } = StandardEvents.OfAudit(
        AuditClientEventType, [.. AuditFields, Field("ServerUri", BuiltInType.String)]);

    private static EventField Field(string name, BuiltInType type) => new(FieldPath.Of(name), type);
}
