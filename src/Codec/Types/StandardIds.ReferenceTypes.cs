namespace Gateway.Codec.Types;

public static partial class StandardIds
{
    public static class ReferenceTypes
    {
        public const uint References = 31;
        public const uint NonHierarchicalReferences = 32;
        public const uint HierarchicalReferences = 33;
        public const uint HasChild = 34;
        public const uint Organizes = 35;
        public const uint HasEventSource = 36;
        public const uint HasModellingRule = 37;
        public const uint HasEncoding = 38;
        public const uint HasDescription = 39;
        public const uint HasTypeDefinition = 40;
        public const uint GeneratesEvent = 41;
        public const uint AlwaysGeneratesEvent = 3065;
        public const uint Aggregates = 44;
        public const uint HasSubtype = 45;
        public const uint HasProperty = 46;
        public const uint HasComponent = 47;
        public const uint HasNotifier = 48;
        public const uint HasOrderedComponent = 49;
        public const uint HasInterface = 17603;
        public const uint HasAddIn = 17604;
        public const uint HasCause = 53;
        public const uint HasEffect = 54;
        public const uint HasDictionaryEntry = 17597;
    }
}
