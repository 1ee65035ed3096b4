namespace Gateway.Codec.Types;

public static partial class StandardIds
{
    public static class ObjectTypes
    {
        public const uint BaseObjectType = 58;
        public const uint FolderType = 61;
        public const uint DataTypeEncodingType = 76;
        public const uint ServerType = 2004;
        public const uint ModellingRuleType = 77;
        public const uint BaseEventType = 2041;
        public const uint SystemEventType = 2130;
        public const uint DeviceFailureEventType = 2131;
        public const uint BaseModelChangeEventType = 2132;
        public const uint GeneralModelChangeEventType = 2133;
        public const uint SemanticChangeEventType = 2738;
        public const uint EventQueueOverflowEventType = 3035;
        public const uint ProgressEventType = 11436;
        public const uint SystemOffNormalAlarmType = 11753;
        public const uint AuditEventType = 2052;
        public const uint AuditSecurityEventType = 2058;
        public const uint AuditChannelEventType = 2059;
        public const uint AuditOpenSecureChannelEventType = 2060;
        public const uint AuditSessionEventType = 2069;
        public const uint AuditCreateSessionEventType = 2071;
        public const uint AuditActivateSessionEventType = 2075;
        public const uint AuditCancelEventType = 2078;
        public const uint AuditCertificateDataMismatchEventType = 2082;
        public const uint AuditCertificateExpiredEventType = 2085;
        public const uint AuditCertificateInvalidEventType = 2086;
        public const uint AuditCertificateUntrustedEventType = 2087;
        public const uint AuditCertificateRevokedEventType = 2088;
        public const uint AuditCertificateMismatchEventType = 2089;
        public const uint AuditWriteUpdateEventType = 2100;
        public const uint AuditUpdateMethodEventType = 2127;
        public const uint AuditUrlMismatchEventType = 2748;
        public const uint TrustListUpdatedAuditEventType = 12561;
        public const uint CertificateUpdatedAuditEventType = 12620;
        public const uint ConfigurationUpdatedAuditEventType = 15541;
        public const uint AuditClientEventType = 23606;
        public const uint AuditConditionEnableEventType = 2803;
        public const uint AuditConditionCommentEventType = 2829;
        public const uint AuditConditionRespondEventType = 8927;
        public const uint AuditConditionAcknowledgeEventType = 8944;
        public const uint AuditConditionConfirmEventType = 8961;
        public const uint AuditConditionShelvingEventType = 11093;
        public const uint AuditConditionResetEventType = 15013;
        public const uint AuditConditionSuppressionEventType = 17225;
        public const uint AuditConditionSilenceEventType = 17242;
        public const uint AuditConditionOutOfServiceEventType = 17259;
        public const uint ConditionType = 2782;
        public const uint RefreshStartEventType = 2787;
        public const uint RefreshEndEventType = 2788;
        public const uint RefreshRequiredEventType = 2789;
        public const uint BaseInterfaceType = 17602;
        public const uint NamespaceMetadataType = 11616;
    }
}
