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
        public const uint EventQueueOverflowEventType = 3035;
        public const uint ConditionType = 2782;
        public const uint RefreshStartEventType = 2787;
        public const uint RefreshEndEventType = 2788;
        public const uint RefreshRequiredEventType = 2789;
        public const uint BaseInterfaceType = 17602;
        public const uint NamespaceMetadataType = 11616;
    }
}
