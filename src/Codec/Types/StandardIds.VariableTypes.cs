namespace Gateway.Codec.Types;

public static partial class StandardIds
{
    public static class VariableTypes
    {
        public const uint BaseVariableType = 62;
        public const uint BaseDataVariableType = 63;
        public const uint PropertyType = 68;
        public const uint ServerStatusType = 2138;
        public const uint DataItemType = 2365;
        public const uint BaseAnalogType = 15318;
        public const uint AnalogItemType = 2368;
        public const uint AnalogUnitType = 17497;
        public const uint TwoStateDiscreteType = 2373;
        public const uint MultiStateDiscreteType = 2376;
        public const uint MultiStateValueDiscreteType = 11238;
    }
}
